"""The checker's rules for schedules of the family space_sharing, written without its engine."""
