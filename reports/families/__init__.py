"""One folder per family: its measures, its diagram, its part of the page of schedules."""
