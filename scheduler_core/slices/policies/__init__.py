"""The policies of slices, one a file."""
