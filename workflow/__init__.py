"""Python of the Snakefile: studies, read, checked and expanded, and the files that results depend on."""
