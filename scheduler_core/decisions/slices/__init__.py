"""Why a job in slices of classes started when it did."""
