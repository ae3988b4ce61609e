"""Preemptive space sharing: policies of the user's own that suspend running jobs and resume them."""
