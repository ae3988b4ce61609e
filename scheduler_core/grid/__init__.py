"""Grid: autonomous clusters under one clock, and a grid scheduler that places workflows on them by relaxed reservations."""
