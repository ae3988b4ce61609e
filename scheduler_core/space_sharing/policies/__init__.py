"""The policies of space sharing, one per file; they are found by scanning this folder."""
