"""Hostile inputs by seed: `make fuzz`, or `python -m tests.fuzz --seed N` to run a single input again."""
