"""The policies of space sharing, one a file; they are found by scanning this folder."""
