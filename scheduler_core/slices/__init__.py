"""Slices: coarse-grain preemptive time sharing, in which the machine belongs to one class of jobs at a time.

SCOJO-PECT, and the optimisation of groups of jobs on top of it.
"""
