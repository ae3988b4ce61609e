"""Shaping: a workload in, a workload out, every step recorded: load, windows, estimates; and classes of jobs."""
