"""Coscheduling: jobs that share processors, run there at once, and slow each other down.

LOMARC's lookahead matchmaking, and SCOJO's coscheduling by shares.
"""
