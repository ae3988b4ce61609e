"""SCOJO-PECT: coarse-grain preemptive time sharing between classes of jobs."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy
from scheduler_core.slices.facts import SliceFacts

HOURS_A_DAY = 24


@dataclass(frozen=True)
class Pect(Policy):
    """SCOJO-PECT: the machine belongs to short, medium and long jobs in turn, and lends idle processors to the other classes.

    All times are whole microseconds. Jobs are rigid; *position* is the row in the workload. Everything the scheduler
    decides it decides by estimates; a job's *rest* is its estimate less what it has run. A job that needs more
    processors than the machine has is rejected. Processors are numbered from 0.

    **Classes.** A job's class is the workload's ``class`` where stated, else short if its estimate is below
    ``short_limit_s``, medium if below ``medium_limit_s``, else long.

    **Slices.** Intervals of T = ``interval_s`` begin at the multiples of T. An interval in which no job is present at its
    begin (submissions at that instant included) and no job is submitted before its end is passed over: it has no slices.
    At the begin of any other its slices are laid out: if a short job is waiting or unfinished, a short slice that works
    for min(``short_slice_s``, max(1 s, need)); then a medium and a long slice. *need* is how long short jobs would take
    if their slice went on: the latest end, on the class clock, of the started short jobs (by rest) and of the waiting
    ones, by reservation (with ``backfilling="easy"`` or ``"first_fit"``: by the reservations conservative backfilling would make
    from nothing), less the class clock. Every slice begins with ``switch_s`` in which no job runs. What is left of the
    interval, R, works for the medium (m) and long (l) slices: medium floor(R x m / (m + l)) with m, l the shares in
    millionths (rounded), long the rest. The shares are ``share_medium`` and ``share_long``; where ``night_share_medium``
    and ``night_share_long`` are numbers they hold instead in intervals that begin in the hours from ``night_begins_h`` up to
    ``night_ends_h`` of the day (time 0 is midnight; it may go over midnight).
    A class's *clock* is the time its slices have worked so far. All slices of an interval are recorded when it is laid out,
    those after the last finish too.

    **Virtual machines.** A job that has started keeps its processors until it finishes: whenever it runs, it runs on them.
    Started, unfinished jobs of a class hold processors of their own, so that all of them can run together in the slices of
    their class, and at the begin of such a slice all of them do. A job that is *started* takes the lowest-numbered
    processors that are free now and not held by a started, unfinished job of its class. Each class has a *plan*, a
    profile of free processors over its own clock: a started job takes its size for its rest, a reservation of a waiting
    job takes its size for its estimate. In the slice of class c, which is called *the slice*, jobs of other classes may
    run too; they take their processors out of c's plan from when they begin for min(rest, what is left of the slice),
    and their use of their own class's plan, whose clock stands still, is for their rest as it was when they began in
    this slice. When the slice ends, all unfinished jobs are suspended.

    **Reservations** (``backfilling="conservative"``). A waiting job gets one at its submission: the earliest time of its
    class's plan, not before its clock, from which its size is free for its estimate. It is *brought forward* when the
    plan of its class has got room that it had not: in queue order, each reservation moves to the earliest time it can with
    all others in place, never to a later one, and so on in rounds until a round moves none. Queue order is the order of
    submission, then position. The jobs' promises (table ``promises``, ``group`` 0): the clock of its reservation when it
    is made, and as the latest finish the time at which, in the worst case, the class clock reaches reservation plus
    estimate (see *Promised finish*). With ``guard=False`` starts outside a class's own slices do not mind reservations;
    then, instead of being brought forward, all reservations of the class are cancelled and made anew in queue order, and
    nothing is promised.

    ``backfilling="easy"``: only the first waiting job of a class has a reservation. "Brought forward" then means that it
    is cancelled and made anew; nothing is promised.

    ``backfilling="first_fit"``: no waiting job of a class has a reservation, and nothing is promised.

    **Instants.** Something happens at submissions, when a running job's work is done, at the begin of an interval, at the
    begin and the end of each slice's work, and when the clock of the slice's class reaches a reservation of its class. At each
    instant, in this order:

    1. Jobs whose work is done leave (in order of position). A slice whose end this is suspends its unfinished jobs.
       What a job had of the plans and no longer needs is given back: all it had left of its own class's plan if it is
       done; if it ran in another class's slice, the difference to its new rest; and if it is done before its estimate,
       what it had left of the slice's plan.
    2. Every class whose plan was given something since the last instant, or one of whose waiting jobs started outside
       its slices, has its reservations brought forward (classes in the order short, medium, long). ("Something": a
       positive time; a started job's own estimate running down is none.)
    3. Jobs submitted now join their queues, in order of position, each with a reservation (easy: if alone; first fit: none).
    4. If an interval begins, it is laid out. If a slice begins whose ``switch_s`` is 0, or has waited for it, its work begins.
    5. If the slice is at work (from the begin of its work until before its end), a *pass*.

    **A pass** in the slice of class c, at clock v of c, F the free processors:

    * At the begin of its work: every started, unfinished job of c runs again, in order of start.
    * Own jobs, conservative: every waiting job of c whose reservation is v starts, in queue order. Easy: the reservation
      is cancelled; the first waiting job starts if its size is free in the plan from v for its estimate, and so on down the
      queue; the first that cannot gets the earliest reservation, and each one behind it starts if it can without
      delaying that. First fit: every waiting job of c, in queue order, starts if its size is free in the plan from v for its
      estimate.
    * If ``smart``, other classes may use what is free, in two rounds, each in the order short, medium, long without c.
      A job *fits the slice* if its size is free in c's plan from v for min(rest, what is left of the slice). First
      round: suspended jobs, in order of start, run again if their processors are free and they fit the slice.
      Second round: waiting jobs, in queue order, start if there are processors for them (free, not held by their class),
      they fit the slice and, with ``guard``, their size is free in their own class's plan from its clock for their
      estimate, their own reservation aside. Their reservation is then replaced by what they use.

    A job's start is when it first runs. Each stretch in which it runs is an allocation, its ``slot`` the class of the slice
    (short 0, medium 1, long 2), so that ``preemptions`` is the number of allocations less one even where ``switch_s`` is 0.

    *Promised finish* of x microseconds of class clock still to come, at time t: the rest of the current interval goes as
    laid out (one that begins at t is not laid out yet); from then on every interval has the least its class can get. For
    medium and long that is the length of their slice where the short one works for ``short_slice_s`` (with shares by hour:
    the smaller of the two), the medium slice beginning after it and the long one ending with the interval. For short it is
    min(``short_slice_s``, x left) at the begin of the interval. In an interval laid out without a short slice, short jobs
    get nothing.

    Where ``guard=False``, "given something" includes every start outside the class's slices, and plans may for an instant
    give away more processors than there are.

    Counters: ``passes``; ``slices``; ``backfilled``: waiting jobs started while one submitted before it in its class still
    waited; ``resumed_elsewhere`` and ``started_elsewhere``: runs begun in another class's slice by suspended and by waiting
    jobs; the others belong to group optimisation and are 0.

    Cost: of the order of n x (P + q) for n jobs, q of which wait at a time, on P processors. Each job makes a few instants. A
    pass goes through the started jobs and the queue, and a plan has at most two steps for each of them. If most instants bring a
    long queue forward, it is n x q x (P + q). If the queue does not grow with n, the cost is linear in n.

    Sources: Kanavallil 2007, chapter 4 (queues, slices, smart backfilling, no migration, share control), section 5.1.4 (EASY
    and conservative backfilling), Figure 6 (order of the steps), section 6.6.1 (processors of jobs suspended), chapter 7
    (classes, switch, shares); Cao 2009, chapter 3 (interval, dynamic short slice of at most 600 s, "safe" backfilling).
    Parameters: ``share_medium``, ``share_long``, ``switch_s``, ``short_limit_s`` and ``medium_limit_s`` Kanavallil, chapter 7;
    ``interval_s`` and ``short_slice_s`` Cao, Table 4; ``smart`` Kanavallil, 9.4; ``night_*`` Cao, chapter 3 and Figure 5, which
    give night intervals longer long slices, without values. Choices made here: the hours of the night; intervals at multiples
    of T; need; that the queue stops at the first job that does not fit before backfilling begins (as printed the loop goes on,
    which would leave EASY nothing to do and starve wide jobs; ``first_fit`` is that loop); that reservations are kept with
    ``guard``, and without it made anew when their plan has got room or a job started elsewhere, where the thesis recalculates
    plans at each point of time (6.3.2); ``guard`` itself, which Figure 6 does not have; lowest processors first; the worst
    case; that a switch comes before its slice; that an interval at whose begin no job is there is laid out when one comes; that
    a job in another class's slice counts in its own plan for what was left of it when it began there; that preempted jobs are
    tried there in order of their start; that a job is killed at its estimate.
    """

    name: ClassVar[str] = "pect"
    label: ClassVar[str] = "SCOJO-PECT"
    source: ClassVar[str] = (
        "Kanavallil, Group-based optimization for parallel job scheduling in clusters via heuristic search, M.Sc. thesis, "
        "University of Windsor, 2007, chapters 4 to 7"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "pect_ns": ("SCOJO-PECT without smart backfilling", {"smart": False})
    }

    interval_s: float = parameter(
        3600.0, "length of an interval, in which each class has its slice", unit="s", minimum=1
    )
    switch_s: float = parameter(60.0, "time lost at the begin of each slice", unit="s", minimum=0)
    short_slice_s: float = parameter(600.0, "longest short slice", unit="s", minimum=1)
    share_medium: float = parameter(0.265, "share of the machine's time meant for medium jobs", minimum=1e-6, maximum=1)
    share_long: float = parameter(0.73, "share of the machine's time meant for long jobs", minimum=1e-6, maximum=1)
    night_share_medium: float | str = parameter(
        "same", "share for medium jobs in intervals that begin at night", choices=("same",), minimum=1e-6, maximum=1
    )
    night_share_long: float | str = parameter(
        "same", "share for long jobs in intervals that begin at night", choices=("same",), minimum=1e-6, maximum=1
    )
    night_begins_h: int = parameter(20, "hour at which the night begins", unit="h", minimum=0, maximum=23)
    night_ends_h: int = parameter(6, "hour at which the night ends", unit="h", minimum=0, maximum=23)
    short_limit_s: float = parameter(
        600.0, "jobs with an estimate below this are short; the limit itself is medium", unit="s", minimum=0
    )
    medium_limit_s: float = parameter(
        10800.0, "other jobs with an estimate below this are medium; the limit itself is long", unit="s", minimum=0
    )
    backfilling: str = parameter(
        "conservative",
        "within a class: no job of the queue is delayed, only the first is not, or every job that fits starts",
        choices=("conservative", "easy", "first_fit"),
    )
    smart: bool = parameter(True, "lend idle processors of a slice to jobs of other classes")
    guard: bool = parameter(True, "jobs that start in another class's slice delay no reservation of their own class")

    def validate(self) -> None:
        """Check that every class gets some time in every interval."""
        if self.interval_s - self.short_slice_s - 3 * self.switch_s < 1:
            raise ParameterError(
                f"{self.name}: interval_s must exceed short_slice_s and three times switch_s by at least 1 s, so that medium "
                f"and long jobs get a slice; found {self.interval_s:g}, {self.short_slice_s:g} and {self.switch_s:g}"
            )
        self.refuse_above("short_limit_s", "medium_limit_s")
        if isinstance(self.night_share_medium, str) != isinstance(self.night_share_long, str):
            raise ParameterError(
                f"{self.name}: give night_share_medium and night_share_long together, or neither; found "
                f"{self.night_share_medium!r} and {self.night_share_long!r}"
            )

    def facts(self) -> SliceFacts:
        """State what the checker's rules must know of the policy."""
        return SliceFacts(promises=self.backfilling == "conservative" and self.guard)
