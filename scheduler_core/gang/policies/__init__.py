"""The policies of this family, one a file."""
