"""What the Snakefile needs beside rules: studies, read, checked and expanded, and the files that results depend on."""
