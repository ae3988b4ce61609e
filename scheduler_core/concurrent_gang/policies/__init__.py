"""Policies of Concurrent Gang, one per file."""
