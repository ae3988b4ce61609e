"""Why a job on a grid of clusters started when it did."""
