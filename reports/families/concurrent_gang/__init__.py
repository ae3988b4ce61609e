"""How the report measures and draws schedules of the family concurrent_gang."""
