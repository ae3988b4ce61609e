"""Runs: simulate, write and read their folders, run batches of cells, and compare."""
