"""Facts that a policy of this family states, so that the checker's rules need not know it by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Partitions:
    """A machine that is permanently cut into parts.

    ``halves``: each part takes half of the remaining processors, rounded up, and the last takes the rest; else all are
    equal, the first larger by one where that does not divide evenly. ``one_job``: one job holds a part, in the slots of the
    whole machine; else each part is a cluster with its own slots.
    """

    count: int
    halves: bool = False
    one_job: bool = False


@dataclass(frozen=True)
class GangFacts:
    """Plain facts of a policy with its parameters.

    Parameters
    ----------
    most_slots
        The most slots that take turns; None: no limit.
    slice_us
        Length of a time slice; 0: events are acted on at once, and jobs may start at any time.
    cycle_slots
        Slots whose slices make up a cycle of constant length, so that with n slots in force a slice is slice_us x
        cycle_slots / n; None: slices keep their length.
    lost_to_switches
        Cost of context switches, as a part of a turn, where they slow progress; 0 where they are only accounted for.
    resizes_at_start
        Whether jobs that are not rigid may start with a size other than requested.
    resizes_running
        Whether running malleable jobs may get another size.
    resize_apart_us
        Shortest time between two passes that resize running jobs.
    stall_us
        Stall of a running job for each processor given or taken.
    keeps_slot
        Whether a job stays in its slot, or slots, on its processors from start to finish.
    keeps_processors
        The same for its processors alone: the slot may change.
    in_several_slots
        Whether a job may run in several slots at one time.
    suspends
        Whether jobs are taken off their processors and resume later, possibly on others; a job placed again at the same
        instant was still suspended.
    packs_by_memory
        Whether a job is placed only where its processors have the memory it needs.
    partitions
        How the machine is cut; None: it is not.
    """

    most_slots: int | None = None
    slice_us: int = 0
    cycle_slots: int | None = None
    lost_to_switches: float = 0.0
    resizes_at_start: bool = False
    resizes_running: bool = False
    resize_apart_us: int = 0
    stall_us: float = 0.0
    keeps_slot: bool = False
    keeps_processors: bool = False
    in_several_slots: bool = False
    suspends: bool = False
    packs_by_memory: bool = False
    partitions: Partitions | None = None
