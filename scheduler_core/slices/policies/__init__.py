"""The policies of slices, one per file."""
