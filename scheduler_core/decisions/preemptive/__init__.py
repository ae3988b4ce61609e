"""Why a job of a preemptive policy started when it did, and why it was suspended."""
