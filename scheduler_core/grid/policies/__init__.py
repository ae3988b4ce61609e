"""Policies of grids of clusters, one per file."""
