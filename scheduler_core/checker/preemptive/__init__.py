"""The checker's rules for schedules of the family preemptive, written without its engine."""
