"""Facts that a policy of this family states, so that the checker's rules need not know its parameters by name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ConcurrentGangFacts:
    """Plain facts of a policy with its parameters; times in nanoseconds, memberships and priorities in millionths."""

    slice_ns: int  # time between two ticks of the clock
    switch_ns: int  # length of a context switch
    latency_ns: int  # the network's latency, and how long a send or a receive keeps its processor busy
    overhead_ns: int
    until_ns: int | None  # the run ends at the first tick at or after this time; None: once all jobs have ended
    period_ns: int  # length of the periods of `processor_activity`
    trace_ns: tuple[int, int]  # begin and end of the window of the trace; the end is the begin where there is none
    spin_ns: int | None  # longest spin before a task blocks, where there is a limit; None: there never is
    # Time until the next tick below which there is no limit; None: there always is one. With it there is a limit only
    # beside a ready I/O-bound task of another job.
    limit_left_ns: int | None
    gang: bool  # whether slices have owners, the tasks that their rows name
    local: bool  # whether a local task scheduler chooses tasks when the owner does not run
    by_priority: bool  # whether it chooses the highest priority; else all are equal
    alpha_ppm: int  # weight of I/O in the priority
    less_communication: bool  # whether the membership in communication is subtracted from that in I/O
    beta_ppm: int | None  # priority that a locally chosen task must exceed; None: any priority suffices
    resumes_owner: bool  # whether a slice's owner that becomes ready gets its processor back
    boosts: bool  # whether a task that becomes ready takes the processor of a locally chosen one of lower priority
    classifier: str  # ``none``, ``counting`` or ``bayes``
    statements: int  # communication statements in a slice that show communication
    least_ppm: int  # least membership in a class under ``bayes``
    in_matrix: bool  # whether jobs are placed in a matrix whose rows take turns; else rows are a cycle of controllers
    most_rows: int | None  # most rows, and most tasks bound to a processor; None: any number
    most_tasks: int | None
    frees_places: bool  # whether the place of a task is free once it has ended, before its job does
    fills_with_owners: bool  # whether idle processors of a row get owners by the classification of tasks
    balances: bool  # whether workers of irregular jobs take pieces from each other

    @property
    def baseline_ns(self) -> int:
        """Return the time of a request and its response, in nanoseconds."""
        return 2 * self.latency_ns + 4 * self.overhead_ns
