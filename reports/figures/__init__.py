"""Figures, a file a study and a function a figure; they are found by scanning the study's module."""
