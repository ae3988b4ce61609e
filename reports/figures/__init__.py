"""Figures, a file per study and a function per figure; they are found by scanning the study's module."""
