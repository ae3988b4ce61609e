"""Why a job under gang scheduling started when it did."""
