"""Where runs part, and pictures of schedules and waits."""
