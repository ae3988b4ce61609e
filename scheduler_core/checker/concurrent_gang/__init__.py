"""The checker's rules for schedules of the family concurrent_gang, written without its engine."""
