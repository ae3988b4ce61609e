"""The checker's rules for schedules of the family gang, written without its engine."""
