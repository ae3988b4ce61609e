"""The checker's rules for schedules of the family grid, written without its engine."""
