"""The DuckDB store: loads runs, measures them in SQL, and computes intervals and comparisons."""
