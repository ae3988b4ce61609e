"""Tests of workflows from files, and of shapes that are drawn."""
