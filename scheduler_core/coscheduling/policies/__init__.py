"""The policies of this family, one per file."""
