"""Propagation: tasks whose predecessors are done may start earlier than booked (Cao 2009, section 4.9, Algorithm 2)."""


def propagated(earliest_us: int, now_us: int, ready_us: int) -> int:
    """Return the earliest start of a task whose predecessors are all done now, and whose data are there at ``ready_us``.

    The printed formula adds the finish of predecessors to the current time; what is meant is the later of the two. A start is
    never put off.
    """
    return min(earliest_us, max(now_us, ready_us))
