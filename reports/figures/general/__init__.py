"""Figures that can be drawn of any workload or study; each says what it needs."""
