"""Facts that a policy of this family states, so that the checker's rules need not know its parameters by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConcurrentGangFacts:
    """Plain facts of a policy with its parameters; times in nanoseconds, memberships and priorities in millionths.

    Parameters
    ----------
    slice_ns
        Time between two ticks of the clock.
    switch_ns
        Length of a context switch.
    latency_ns, overhead_ns
        The network's latency, and how long a send or a receive keeps its processor busy.
    until_ns
        The run ends at the first tick at or after this time; None: once all jobs have ended.
    period_ns
        Length of the periods of `processor_activity`.
    trace_ns
        Begin and end of the window of the trace; the end is the begin where there is none.
    spin_ns
        Longest spin before a task blocks, where there is a limit; None: there never is.
    limit_left_ns
        Time until the next tick below which there is no limit; None: there always is one. With it there is a limit only
        beside a ready I/O-bound task of another job.
    local
        Whether a local task scheduler chooses tasks when the owner does not run.
    by_priority
        Whether it chooses the highest priority; else all are equal.
    alpha_ppm
        Weight of I/O in the priority.
    less_communication
        Whether the membership in communication is subtracted from that in I/O.
    beta_ppm
        Priority that a locally chosen task must exceed; None: any priority suffices.
    resumes_owner
        Whether a slice's owner that becomes ready gets its processor back.
    boosts
        Whether a task that becomes ready takes the processor of a locally chosen one of lower priority.
    classifier
        ``none``, ``counting`` or ``bayes``.
    statements
        Communication statements in a slice that show communication.
    least_ppm
        Least membership in a class under ``bayes``.
    in_matrix
        Whether jobs are placed in a matrix whose rows take turns; else the rows are a cycle of controllers.
    most_rows, most_tasks
        Most rows, and most tasks bound to a processor; None: any number.
    frees_places
        Whether the place of a task is free once it has ended, before its job does.
    fills_with_owners
        Whether idle processors of a row get owners by the classification of tasks.
    balances
        Whether workers of irregular jobs take pieces from each other.
    """

    slice_ns: int
    switch_ns: int
    latency_ns: int
    overhead_ns: int
    until_ns: int | None
    period_ns: int
    trace_ns: tuple[int, int]
    spin_ns: int | None
    limit_left_ns: int | None
    local: bool
    by_priority: bool
    alpha_ppm: int
    less_communication: bool
    beta_ppm: int | None
    resumes_owner: bool
    boosts: bool
    classifier: str
    statements: int
    least_ppm: int
    in_matrix: bool
    most_rows: int | None
    most_tasks: int | None
    frees_places: bool
    fills_with_owners: bool
    balances: bool

    @property
    def baseline_ns(self) -> int:
        """Return the time of a request and its response, in nanoseconds."""
        return 2 * self.latency_ns + 4 * self.overhead_ns
