"""Forms of figures that several studies share."""
