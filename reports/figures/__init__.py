"""Figures: general ones, forms that studies share, and how a study's figures are found and drawn."""
