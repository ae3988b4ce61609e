"""Figures that any study may show, forms that studies share, and the search for the figures of a study."""
