"""Capacity planning: simulated waits beside the recorded ones, and what changes would do to the same jobs."""
