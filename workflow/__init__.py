"""What the Snakefile needs beside rules: studies read, checked and expanded, and what depends on what."""
