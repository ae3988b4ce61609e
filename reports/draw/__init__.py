"""The look of all figures: theme, shared encodings, pictures and printable files."""
