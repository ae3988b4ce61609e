"""The checker's rules for schedules of the family coscheduling, written without its engine."""
