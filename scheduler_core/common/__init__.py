"""Shared by every room: errors, files, units of time, and the source files that a module reaches."""
