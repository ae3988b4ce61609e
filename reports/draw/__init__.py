"""How anything is drawn: one look, encodings that figures share, pictures and prints."""
