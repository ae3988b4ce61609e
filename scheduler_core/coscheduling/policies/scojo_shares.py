"""SCOJO: jobs coscheduled by guaranteed shares of every processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.coscheduling.facts import CoschedulingFacts
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

EXCLUSIVE: dict[str, Any] = {"at_once": 1, "assignment": "equal", "backfilling": False}
EQUAL: dict[str, Any] = {"at_once": 2, "assignment": "equal"}


@dataclass(frozen=True)
class ScojoShares(Policy):
    """SCOJO: up to three jobs run on the whole machine at once, each with a guaranteed share of every processor.

    Every job needs all processors; what is divided is their time. (A job holds the lowest-numbered processors, as many as
    its `size`; the others are left idle. A job larger than the machine is rejected and takes no part.) *Position* is the
    row in the workload. Times are whole microseconds; shares, slowdowns and their limits are whole millionths ("ppm"): of x
    floor(10^6 x + 0.5), at least 1. FULL is 10^6. ``level``, ``share_low``, ``share_high``, ``asks`` and ``wanted_us`` are
    columns of the companion table `shares`; `application` is one of `behaviour`, and 0 where that table is not read.

    **Execution.** The family's page (:mod:`scheduler_core.coscheduling`) says how work is done at a share and a slowdown, and
    what a row is. A row is broken off when, at the end of an instant, other jobs run beside it than before; so rounding costs
    less than a microsecond of work a row. A job's place is the lowest of 0, 1, 2 that is free as it starts.

    **Slowdown** of a job beside others, k jobs in all: FULL alone; ``constants``: ``slowdown_of_two`` or
    ``slowdown_of_three`` by k; ``table``: the largest over the others of the table's cell (its application, the other's).
    What the estimator *believes* is just that, unless ``learns`` with ``table``: then a cell counts only once it is *measured*,
    which is when at an earlier instant a row has ended in which a job of this application ran beside one other job, of that
    application; a cell that is not measured is assumed to be the constant for k.

    **Guaranteed share** g of a job: FULL // ``at_once`` with ``assignment="equal"``, else share_low, in ppm; for a job with a
    reservation it is the share it was promised. The *effective* share of x at slowdown d is min(FULL, ceil(x d / FULL)).
    *Needed* by a job in a set is g with ``accounting="requested"``, and with ``effective`` the effective share of g at the
    slowdown believed in that set.

    **Coschedulable** is a set of at most ``at_once`` jobs which is a single job, or in which every believed slowdown is at most
    ``slowdown_limit`` and the shares needed add up to at most FULL.

    **Assignment**, among the running jobs in order of start. ``equal``: each gets FULL // ``at_once``. ``ranges``: each has a
    least a_i = what it needs, and a most b_i = share_high (``effective``: its effective share; at least a_i); the i-th
    gets min(b_i, FULL - what those before it got - the sum of a over those after it). So with ranges of 20 % to 40 % three jobs
    get 40, 40 and 20 %, and as one ends the third is promoted to 40 %. Then, with r_i the shares and R their sum, ``reclaim``:
    ``off`` leaves it at that; ``alone`` gives FULL to a job that runs alone; ``all`` gives each floor(r_i FULL / R) (the clear
    cut: what is left is shared out in proportion).

    **Priority** (``order="priority"``): long 0, medium 5, short 10, special 15, raised while the job is in the queue: min(15,
    that + ``aging_step`` x n), and what it is when the job starts remains; that of a reserved job is not raised.
    ``aging="off"``: n = 0. ``per_job``: n = floor((now - submit) / T) with T = ``aging_s``. ``all_at_once``: n = floor(now /
    T) - floor(submit / T). With ``order="fcfs"`` all priorities are 0. The queue is in order of priority, highest first,
    then of position.

    **Windows.** While reservations are pending, nothing may start that could break one. The *window* of a job that starts
    at time t is [t, t + ceil((estimate + 1,000) x W / g)): W is the largest slowdown it can meet, the largest of FULL and, with
    ``constants``, the constants for 2 to ``at_once`` jobs, with ``table`` ``slowdown_limit`` (if ``at_once`` > 1); with
    ``effective`` W is FULL, for then shares follow the slowdown. (1,000 microseconds of work are for rounding.) The window of a
    job that runs begins now; its end is the earliest of this one and of t + ceil((estimate - work done + 1,000) x W / g), for
    each time t at which a row of the job has begun (step 5) with this work done. So windows never end later than they did
    before. The window of a reserved job begins at its reserved start. With ``learns`` and ``table`` windows do not end, for
    slowdowns are not known. A set of windows *holds* if for every reserved start s among them the jobs whose windows contain s
    are coschedulable. A start *is safe* if the windows of the running jobs, of all pending reserved jobs and of the job in
    question hold.

    **Instants.** Something happens at submissions, when a running job is done, at reserved starts and when the priority of a
    job in the queue rises. At each instant, in this order:

    1. Jobs that are done leave, in order of position.
    2. Jobs submitted now, in order of position. One that asks for something is offered slots (see *Offers*). One that
       ``reserves`` takes the first slot, if there is one; it is *reserved* and does not join the queue. All others join it.
    3. Reserved jobs whose start is now start, in order of position.
    4. The pass.
    5. Shares are assigned.

    **The pass.** Waiting jobs are planned as a list of elements, each a job alone or several to be run at once, made anew each
    time: from the head of the queue on, a job joins the last element if that stays coschedulable, else it begins another.

    * *Element.* If nothing runs, the first element starts: its jobs in order, each if that is safe (so each in turn counts as
      running for the next); the first that is not ends this step.
    * *Joins.* While the head of the queue may join the running jobs it starts. ``joins`` says who may: ``arrivals``: a job
      submitted at this instant; ``head``: any; ``never``: none. And it must be *admissible*: the running jobs and it are
      coschedulable, the start is safe and, if any job runs, the ``priority_rule`` allows it: ``equal_or_higher``: its
      priority is not below that of the running job that started first; ``equal_or_higher_than_all``: not below that of any
      running job; ``any``: always.
    * *Backfilling*, with ``backfilling``: the jobs of the queue in order, its head too, each starts if it is admissible and,
      where jobs ahead of it still wait, the ``backfill_rule`` holds. ``own_end``: in the projection with it started it ends
      not after the first of those ahead of it starts in the projection from before this step. ``no_delay``: in the
      projection with it started none of those ahead of it starts later than in the projection from before this step.
      ("Running" includes jobs backfilled before it.)

    Jobs that start at one instant have started in the order in which these steps start them.

    **Projection** from a state: what this policy would do from now on if no job were submitted and none backfilled, and queue
    and priorities stayed as they are. It begins with step 5; its instants are the ends of jobs and reserved starts. All rows
    are taken to end now, and work left is what the scheduler predicts: the predicted run time less the work done, or the
    estimate less the work done if that is not positive. The predicted run time is the estimate; with ``learns`` and an
    application that is not 0 it is, if jobs of the application have left already, the mean (rounded down) of the work of the
    last ten of them, but at most the estimate. Slowdowns are those believed now, and windows as stated above, with the work
    done in the projection.

    **Offers.** Times are tried in ascending order: w = wanted_us or now, whichever is later, then the ends of the windows (of
    running and reserved jobs) after w. At time t the job's own window is that of a reserved job with start t and g as above;
    t is a slot if the windows of running and reserved jobs and this one hold. The first ``offers`` slots are offered. A
    slot's slowdown is the believed one beside the jobs whose windows contain t. Its share p is the most that can be promised:
    ``equal``: g. ``ranges``: the smallest, over t and the reserved starts in its window, of min(share_high, FULL - the sum
    of what the others whose windows contain that time need beside it); ``effective``: of min(share_high, floor((FULL -
    that sum) FULL / d)), d its believed slowdown beside them. Taking the slot, the job is promised p, which is its g from then
    on. The table `offers` has a row per slot, numbered from 1, with ``share_ppm`` p (``effective``: the effective share of
    p at the slot's slowdown); ``taken`` is ``reserved`` or, where the job ``picks``, ``picked`` for the first slot, else
    ``no``. A job that picks joins the queue like any other.

    **Directory.** The share that is available (FULL less the shares assigned) is sampled at the multiples of ``sample_s`` after
    the first submission, up to the last end, as it is just before the instant; a forecast is the mean (rounded down) of the last
    ten samples. Cross-site jobs ask for both at their submission. They decide nothing and tell nothing of a single job: a share
    is a sum over jobs.

    Counters: ``passes``: instants; ``elements``: passes that started jobs as an element; ``joined``, ``backfilled``,
    ``reserved``: jobs started by joining, by backfilling, at reserved starts; ``statistics_asked``; ``forecast_error_ppm``:
    mean (rounded down) over all samples but the first of the distance between the forecast and the sample that followed.

    Sources: Huang 2004, sections 5.2 (reservations in two levels), 5.3 (priorities, aging, shares, backfilling, clear cut,
    plan), 5.4 (directory), 5.5 (estimator, effective share), 5.6 (strategies, slowdowns, 40/40/20). Defaults, where these
    leave something open or contradict each other:

    * ``joins``: page 21 speaks of "a new job coming"; waiting elements start "after the termination of" those before them
      (Figure 5-4), and what an ended job leaves is a hole until backfilling fills it (Figure 5-2).
    * ``priority_rule``: page 21 compares with "the old one", page 22 with "current running job(s)". In Table 5-1 job 7
      (priority 10) starts beside job 10 (15) and job 1 (0), so it is the one that started first.
    * ``accounting``: section 5.5 assigns the effective share, Table 5-1 and 40/40/20 the one that is requested.
    * ``reclaim``: pages 21 to 23; in Table 5-1 job 11 runs alone at its 40 %.
    * ``backfill_rule``: page 22 says that no front job is delayed; in Figure 5-3 backfilled jobs take share from job 0, for
      which jobs 3 and 4 wait, so what counts is when these would have started.
    * ``aging``: its time is not printed, its step of 5 is the distance of the priority classes (5.3).
    * ``slowdown_of_two`` and ``slowdown_of_three``: the constants of section 5.6. ``learns``: the estimator's measurements
      (5.5), kept in the directory (5.4), which is sampled every ``sample_s``. ``offers``: a site offers one or more slots (5.2).

    Chosen here: windows (in the source a reserved job started 7 s late), the order of slots, elements of jobs that follow each
    other in the queue, ``slowdown_limit``, ten samples.
    """

    name: ClassVar[str] = "scojo_shares"
    label: ClassVar[str] = "SCOJO by shares"
    engine: ClassVar[str] = "share_engine"
    source: ClassVar[str] = (
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapter 5"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "scojo_fcfs_exclusive": ("FCFS", {**EXCLUSIVE, "order": "fcfs"}),
        "scojo_pri": ("Pri", EXCLUSIVE),
        "scojo_prico": ("PriCo", {**EQUAL, "backfilling": False}),
        "scojo_pricob": ("PriCoB", EQUAL),
        "scojo_c2": ("C2", {"at_once": 2}),
        "scojo_c3": ("C3", {"at_once": 3}),
    }

    order: str = parameter("priority", "order of the queue", choices=("priority", "fcfs"))
    at_once: int = parameter(2, "most jobs that run at once", unit="jobs", minimum=1, maximum=3)
    backfilling: bool = parameter(True, "whether jobs behind the head of the queue may fill a share that is free")
    assignment: str = parameter("ranges", "which shares running jobs are assigned", choices=("ranges", "equal"))
    accounting: str = parameter(
        "requested",
        "what a requested share counts as: that share, or that share times the slowdown",
        choices=("requested", "effective"),
    )
    reclaim: str = parameter(
        "all",
        "who gets the unassigned time: running jobs in proportion, a job that runs alone, or none",
        choices=("all", "alone", "off"),
    )
    slowdown: str = parameter(
        "constants", "slowdowns by the number of jobs, or by application", choices=("constants", "table")
    )
    slowdown_of_two: float = parameter(1.2, "slowdown of two jobs at once", minimum=0.1, maximum=1000)
    slowdown_of_three: float = parameter(1.3, "slowdown of three jobs at once", minimum=0.1, maximum=1000)
    slowdown_limit: float = parameter(1.5, "largest slowdown with which jobs are coscheduled", minimum=1, maximum=1000)
    joins: str = parameter(
        "arrivals",
        "who may join running jobs, from the head of the queue: a job as it is submitted, any, none",
        choices=("arrivals", "head", "never"),
    )
    priority_rule: str = parameter(
        "equal_or_higher",
        "priority with which a job may run beside others: not below that of the first started, or of any; or any priority",
        choices=("equal_or_higher", "equal_or_higher_than_all", "any"),
    )
    backfill_rule: str = parameter(
        "own_end",
        "a backfilled job ends before the head would have started, or delays none ahead of it",
        choices=("own_end", "no_delay"),
    )
    aging: str = parameter("off", "how waiting raises priorities", choices=("off", "per_job", "all_at_once"))
    aging_s: float = parameter(3600.0, "time after which waiting raises a priority", unit="s", minimum=0.001)
    aging_step: int = parameter(5, "priority that each such time adds", minimum=1, maximum=15)
    offers: int = parameter(3, "most slots offered to a job that asks for one", unit="slots", minimum=1, maximum=100)
    learns: bool = parameter(False, "whether measured run times and slowdowns replace the stated ones")
    sample_s: float = parameter(10.0, "time between two samples of the site's statistics", unit="s", minimum=0.001)

    def validate(self) -> None:
        """Refuse settings that do not go together."""
        if self.slowdown_of_three < self.slowdown_of_two:
            raise ParameterError(
                f"{self.name}: slowdown_of_three must not be below slowdown_of_two; found {self.slowdown_of_three:g} and "
                f"{self.slowdown_of_two:g}"
            )
        if self.assignment == "equal" and self.accounting == "effective":
            raise ParameterError(
                f"{self.name}: accounting='effective' goes with assignment='ranges'; equal shares are assigned as they are"
            )
        if self.learns and self.slowdown == "table" and self.accounting == "effective":
            raise ParameterError(
                f"{self.name}: accounting='effective' needs slowdowns that are known; set learns=False or slowdown='constants'"
            )

    @property
    def companions(self) -> tuple[str, ...]:
        """The companion tables it reads: slowdowns by application, and what it learns of them, need `behaviour`."""
        if self.slowdown == "table":
            return ("shares", "behaviour", "slowdowns")
        return ("shares", "behaviour") if self.learns else ("shares",)

    def facts(self) -> CoschedulingFacts:
        """Return the facts that the checker's rules need about the policy."""
        return CoschedulingFacts(jobs_at_once=self.at_once, shares=True)

    def sample(self) -> Workload:
        """Return jobs with the companion tables it needs."""
        from scheduler_core.coscheduling.share_sample import sample_workload

        return sample_workload()
