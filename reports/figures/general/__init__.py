"""Figures of any workload or study; each declares the data it needs."""
