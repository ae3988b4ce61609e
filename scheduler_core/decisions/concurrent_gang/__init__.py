"""Why a job under Concurrent Gang started when it did."""
