"""The checker's rules for schedules of the family slices, written without its engine."""
