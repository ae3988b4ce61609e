"""Measuring: what the pipeline left on disk in one DuckDB store, metrics in SQL, intervals and comparisons."""
