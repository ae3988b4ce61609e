"""How the report measures and draws schedules of the family space_sharing."""
