"""Figures, numbers and tables of a study for a paper: laid out for its columns, and written as LaTeX."""
