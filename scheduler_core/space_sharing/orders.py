"""The orders in which a queue can be kept, and the orders in which backfilling looks for candidates."""

from __future__ import annotations

LIST_ORDERS = ("shortest", "longest", "smallest", "largest", "largest_area", "largest_slowdown", "fcfs")
"""Orders of list scheduling, its default first."""

QUEUE_ORDERS = ("fcfs", "shortest", "longest", "smallest", "largest", "largest_area", "largest_slowdown")
"""Orders of a queue that backfills, the default first."""

BACKFILL_ORDERS = ("queue", "shortest", "longest", "smallest", "largest", "largest_area", "largest_slowdown")
"""Orders of the backfill candidates, the default first: the queue's own order, or one of their own."""
