"""Figures of any workload or study; each declares what it needs."""
