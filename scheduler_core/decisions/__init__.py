"""Single decisions of a schedule: why a job started when it did."""
