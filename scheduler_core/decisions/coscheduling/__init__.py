"""Why a job under coscheduling started when it did."""
