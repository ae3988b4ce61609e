"""Schedules as pictures: processors against time, for every family of schedulers."""
