"""How the report measures and draws schedules of the family gang."""
