"""Why a job of space sharing started when it did."""
