"""Facts that a policy of this family states, so that the checker's rules need not know it by name."""

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
    """Plain facts of a policy with its parameters."""

    most_slots: int | None = None  # the most slots that take turns; None: no limit
    slice_us: int = 0  # length of a time slice; 0: events are acted on at once, and jobs may start at any time
    # Slots whose slices make up a cycle of constant length, so that with n slots in force a slice is slice_us x cycle_slots
    # / n; None: slices keep their length.
    cycle_slots: int | None = None
    # Cost of context switches, as a part of a turn, where they slow progress; 0 where they are only accounted for.
    lost_to_switches: float = 0.0
    resizes_at_start: bool = False  # whether jobs that are not rigid may start with a size other than requested
    resizes_running: bool = False  # whether running malleable jobs may get another size
    resize_apart_us: int = 0  # shortest time between two passes that resize running jobs
    stall_us: float = 0.0  # stall of a running job for each processor given or taken
    keeps_slot: bool = False  # whether a job stays in its slot, or slots, on its processors from start to finish
    keeps_processors: bool = False  # the same for its processors alone: the slot may change
    in_several_slots: bool = False  # whether a job may run in several slots at one time
    # Whether jobs are taken off their processors and resume later, possibly on others; a job placed again at the same
    # instant was still suspended.
    suspends: bool = False
    packs_by_memory: bool = False  # whether a job is placed only where its processors have the memory it needs
    partitions: Partitions | None = None  # how the machine is cut; None: it is not
