"""The oracle of preemptive policies."""
