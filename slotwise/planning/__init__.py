"""Capacity planning: simulated waits beside the recorded ones, and what changes would do to the same jobs."""

KINDS = ("user", "group", "queue", "partition", "size", "run time", "week", "hour")
"""What jobs are grouped by. It stands here because the command line names it before it loads anything."""
