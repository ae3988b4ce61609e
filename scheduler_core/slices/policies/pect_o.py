"""Group optimisation: the order of a group of waiting jobs is searched for, and followed as a plan."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter
from scheduler_core.slices.facts import SliceFacts
from scheduler_core.slices.policies.pect import Pect


@dataclass(frozen=True)
class GroupOptimisation(Pect):
    """Optimised SCOJO-PECT: when enough medium or long jobs wait, a heuristic search orders a group of them.

    Everything is as in ``pect`` but for what follows. Planned jobs of a class are the unstarted jobs of its group; queue
    order is: planned jobs in the order of the plan, then the others by submission, then position.

    **Reservations.** In a class that has a group, all waiting jobs have reservations and they are brought forward as with
    ``backfilling="conservative"``, whichever it is. All reservations of a class are *made anew* when a group is formed or
    ends: cancelled, then made in queue order (at the end with "easy" for the first waiting job only, with "first_fit" none).
    With conservative backfilling and ``guard`` each waiting job of the class is then promised anew, in queue order, with the
    group's number.

    **The slice of a class with a group.** A pass in the slice of class c (medium or long) begins, after the suspended jobs
    of c have been put back, with:

    a. Requests. Of the *requests* for now, in the order in which they were made: the request is cancelled (its use of
       c's plan given back); the job starts as in the second round of smart backfilling if it may. Then, if ``dynamic``
       and c has a group, jobs of other classes submitted at this instant, in order of position: the job's *time* is the
       earliest of c's plan, from v and before the end of the slice, from which its size is free for min(estimate, what
       is left of the slice then); without one nothing happens. If the time is now, the job starts if there are
       processors for it and ``guard`` allows it. If it is later, the job makes a request: it takes its size out of c's
       plan for that stretch. A pass is made when the clock reaches a request; the end of the slice cancels all. One
       that is cancelled without a start counts as something given to c's plan, but not at the end of the slice. Smart
       backfilling passes over jobs with a request.
    b. The group's end. The group of c has ended if it has no planned job and all its members are done; or if some job was
       done at this instant and the group's *finish job* is done.
    c. The group's formation, if c has no planned jobs. Let Q be the waiting jobs of c, P the machine. If Q has at least
       ``group_min`` jobs, their sizes add up to more than ``group_size_factor`` x P, and the sum of size x estimate is more
       than ``group_work_factor`` x ``group_run_s`` x P, the first min(|Q|, ``group_max``) of Q become a group (each
       parameter with ``_medium`` or ``_long`` behind it, as c is). An older group of c that is still open ends then. The
       order of the group is *optimised* (below), becomes the plan, and reservations are made anew.

    Own jobs then start as with conservative backfilling while c has a group. Smart backfilling has three rounds: suspended
    jobs; planned jobs of the other classes, in the order medium, long without c, as in the last round; the other
    waiting jobs. ``guard`` protects plans as it protects all reservations. A planned job that starts anywhere leaves the plan.

    **Optimising a group** of n jobs at time t and clock v. All happens on c's plan without any reservation (started jobs,
    jobs of other classes running in this slice, and requests, remain). To *place* a job: it takes the earliest time s from
    which its size is free for its estimate r; with ``plan_backfilling=False`` no earlier than the start of the job placed
    before it. Its estimated response time is (t - submission) + (s - v + r) / share, in double precision and this order of
    operations (share: ``share_medium`` or ``share_long``), its slowdown is that over max(r, ``bound_s``), but at least 1. A
    schedule's *total* is the sum of its jobs' slowdowns, added in the order of placement.

    1. *Long-wide jobs* are those of at least ``long_wide_size`` x P processors and ``group_run_s`` of estimate. If there
       are at least ``long_wide_min`` of them, the ``long_wide_max`` with most size x estimate (ties: larger size, then
       position) are placed alone, in every order of them (depth first, from the order by most work); the one with the
       least total is theirs (first among equals). Otherwise no job is long-wide below.
    2. *The heuristic's order*, largest slowdown first: again and again, every job of the group not yet placed, of the
       long-wide ones only the next, is placed alone on the plan as it is; the one with the largest slowdown (ties: position)
       is placed for good.
    3. ``second_level=False``: this is the order. Otherwise, if n = ``group_max`` the order is split into its first
       ceil(n / 2) jobs and the rest, else it is one part. Each part is searched with the parts before placed as chosen.
    4. *Search of a part* of k jobs. Orders are generated as paths of the search tree in the way of ``paths``, the part's
       own (the heuristic's) order first; the path's *discrepancies* are the depths at which it does not take the first of
       the remaining jobs in the heuristic's order. ``depth_first``: as a lexicographic counter counts; ``front_first``:
       the counter whose first digit turns fastest; ``dds``, ``ilds``, ``lds``: depth-bound, improved and plain limited
       discrepancy search (the last two with iterations 0 to k). At most ``orders`` are generated, the heuristic's
       included. *Best* is the least total so far, the parts before included. The heuristic's order is evaluated first,
       without bound, and is a candidate. Each following order with at least ``discrepancies_from`` discrepancies is
       evaluated: its jobs are placed in order; with ``branch_and_bound``, when the sum so far is not below best, it is
       *cut* there. What is not cut is a candidate, and best becomes its total if that is lower.
       After each evaluated order (cut or not; ``shift_cut=False``: only if not cut), with ``force_shift``, another order may be
       made by *force-shifting*, and is evaluated in the same way.
    5. *Force-shifting* an order: place it wholly. Going through its jobs in order, j not yet shifted: a hole for j
       is a longest stretch, from v on, in which j's size stays free with all of the order placed (and the parts
       before), [b, e), b before the start of j. The first hole (by time) shorter than r_j with r_j / (e - b) <= ``shift_ratio``
       is taken (in whole numbers: r_j x 10^6 <= ratio in millionths x (e - b)). The order becomes: its jobs other than
       j that start at b or earlier, then j, then the rest, each in the order they had; j counts as shifted; this is done again
       with the new order until no job can be shifted. If none was, there is no other order. The parts before are not touched.
    6. *Selection* among the three candidates with the least totals (ties: found first), c1 <= c2 <= c3. M is the
       latest end of a placed job less v; U the work of started jobs (rests, of this class, up to v + M) and
       of placed jobs over P x M; A the mean estimated response time of placed jobs. ``select="tolerance"``: begin with
       c1; for c2, then c3: the incumbent i stays if M_i < 1.1 x M and U_i > 0.95 x U and A_i < 1.1 x A of the challenger, which
       otherwise takes its place. "literal": c1 gives way if M > 1.1 x M_i and U > 0.95 x U_i and A < 1.1 x A_i of the
       challenger, as the thesis prints it. "slowdown": c1.

    **The finish job** of a group: once reservations are made anew, started jobs of c (ending by rest) and the planned ones
    (by reservation), by end on the clock (ties: started jobs first, in order of start; then order of the plan), are gone
    through. U(f) is the processor-time used by them all from v to the end f over P x (f - v). When U falls by more than
    ``finish_dip`` from one end to the next, to below ``finish_utilisation``, and at least ceil(``finish_jobs`` x n) planned
    jobs are among those before, the job before is the finish job; else the last one is.

    *Tree nodes* of a search: of each evaluated order the placements, up to the cut, from the first place on at which it, or an
    order generated since, differs from the order evaluated before it (the part's heuristic order: all); of an order made by
    shifting, from the first place that differs from the order it was made of. Tree nodes at which an order is cut are ``pruned``,
    or ``pruned_leaves`` at its last job. (A cut at a place shared with the order before is no tree node.) ``orders`` counts
    generated paths. Improvements: of each part one row for the heuristic's order, and one whenever best falls; with
    ``second_level=False`` none. A group that is open when the last job finishes ends then.

    Counters, beside those of ``pect`` (where ``started_elsewhere`` counts the following two as well): ``planned_elsewhere``
    (planned jobs started in another class's slice); ``dynamic`` (jobs started under a., at once or when their request
    came due); ``requests``; ``groups_medium``, ``groups_long``; ``grouped`` (jobs in groups); ``orders``; ``tree_nodes``;
    ``pruned``; ``pruned_leaves``; ``placements`` (jobs scheduled virtually, for whatever purpose; how many depends on how much
    work the search saves).

    Cost: that of ``pect``, and for each group at most ``orders`` paths of each part, each with up to ``group_max`` placements. A
    placement goes through the whole plan. Groups have at least ``group_min`` jobs, so the cost is linear in the jobs.

    Sources: Kanavallil 2007, chapter 6 (Figure 6 the steps of a pass, 6.1 groups, 6.3 plan and finish time, Figure 11 the
    search, 6.4.2 discrepancies, 6.4.4 selection, 6.6 backfilling) and chapter 7 (constants). Parameters: ``dynamic`` 6.6.2;
    ``group_min``, ``group_max``, ``group_size_factor``, ``group_work_factor`` (lambda) and ``group_run_s`` 7.2;
    ``long_wide_size``, ``long_wide_min``, ``long_wide_max`` and ``orders`` 7.3; ``second_level`` 6.4; ``branch_and_bound``
    6.4.3 and 7.4; ``force_shift`` and ``shift_ratio`` 6.4.2 and 7.3; ``shift_cut`` Figure 11, which shifts every evaluated
    order; ``plan_backfilling`` 6.6.3; ``bound_s`` 7.4; ``finish_dip``, ``finish_utilisation`` and ``finish_jobs`` 6.3.3, which
    prints no values; ``discrepancies_from`` 6.4.2, likewise. Lost with the pictures or unsaid, and chosen here: the finish job
    (Figure 8), what lies within a hole, that a longer makespan does not win (6.4.4 prints ">"), two parts, how the first level
    ranks jobs, that waiting jobs outside the group keep reservations behind the plan (Figure 6 starts each that it can), and
    that with ``guard`` planned jobs never move later. The threshold of discrepancies is the least that passes over most of the
    first 10,000 orders of any part, since section 9.3.5 says that it "discards majority of the search tree". No order of a part
    of six jobs or fewer has as many discrepancies: there the heuristic's order and what force-shifting makes of it are all.
    """

    name: ClassVar[str] = "pect_o"
    label: ClassVar[str] = "Optimised SCOJO-PECT"
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "pect_o_no_dynamic": ("Optimised, without dynamic backfilling", {"dynamic": False}),
        "pect_o_first_level": ("Optimised, first level only", {"second_level": False}),
        "pect_o_ns": ("Optimised, without smart backfilling", {"smart": False, "dynamic": False}),
    }

    dynamic: bool = parameter(True, "place submitted jobs of other classes around the plan of the slice's group")
    group_min_medium: int = parameter(
        10, "fewest waiting jobs that form a group of medium jobs", unit="jobs", minimum=1
    )
    group_min_long: int = parameter(5, "fewest waiting jobs that form a group of long jobs", unit="jobs", minimum=1)
    group_max_medium: int = parameter(20, "most jobs of a group of medium jobs", unit="jobs", minimum=1, maximum=64)
    group_max_long: int = parameter(30, "most jobs of a group of long jobs", unit="jobs", minimum=1, maximum=64)
    group_size_factor_medium: float = parameter(
        1.5, "waiting medium jobs must ask for more than this, in machines", unit="machines", minimum=0
    )
    group_size_factor_long: float = parameter(
        2.0, "waiting long jobs must ask for more than this, in machines", unit="machines", minimum=0
    )
    group_work_factor_medium: float = parameter(
        2.0, "work of waiting medium jobs, in machines times group_run_s_medium, must be more", minimum=0
    )
    group_work_factor_long: float = parameter(
        1.0, "work of waiting long jobs, in machines times group_run_s_long, must be more", minimum=0
    )
    group_run_s_medium: float = parameter(800.0, "run time from which a medium job counts as long", unit="s", minimum=0)
    group_run_s_long: float = parameter(15000.0, "run time from which a long job counts as long", unit="s", minimum=0)
    long_wide_size_medium: float = parameter(
        0.1, "size from which a medium job counts as wide, in machines", unit="machines", minimum=0, maximum=1
    )
    long_wide_size_long: float = parameter(
        0.25, "size from which a long job counts as wide, in machines", unit="machines", minimum=0, maximum=1
    )
    long_wide_min: int = parameter(4, "fewest long-wide jobs whose order is searched first", unit="jobs", minimum=1)
    long_wide_max: int = parameter(
        6, "most long-wide jobs whose order is searched first", unit="jobs", minimum=1, maximum=8
    )
    second_level: bool = parameter(True, "search the orders of the whole group as well")
    orders: int = parameter(10000, "most orders generated for a part of a group", unit="orders", minimum=1)
    discrepancies_from: int = parameter(6, "fewest discrepancies of orders that are evaluated", minimum=0)
    paths: str = parameter(
        "depth_first", "in which way orders are generated", choices=("depth_first", "front_first", "dds", "ilds", "lds")
    )
    branch_and_bound: bool = parameter(True, "cut orders that cannot be better than the best so far")
    force_shift: bool = parameter(True, "make other orders by moving a job into a hole that is slightly too short")
    shift_ratio: float = parameter(1.5, "longest job for a hole, in lengths of the hole", minimum=1)
    shift_cut: bool = parameter(True, "force-shift orders that were cut, too")
    plan_backfilling: bool = parameter(True, "jobs of the virtual schedule may take holes before jobs placed earlier")
    select: str = parameter(
        "tolerance", "how one of the three best schedules is chosen", choices=("tolerance", "literal", "slowdown")
    )
    bound_s: float = parameter(600.0, "shortest run time that counts in a slowdown", unit="s", minimum=0.000001)
    finish_dip: float = parameter(0.05, "fall of utilisation from which a group may end", minimum=0, maximum=1)
    finish_utilisation: float = parameter(0.7, "utilisation below which a group may end", minimum=0, maximum=1)
    finish_jobs: float = parameter(0.5, "part of a group that must be done before it may end", minimum=0, maximum=1)

    def validate(self) -> None:
        """Check that groups can form."""
        super().validate()
        for kind in ("medium", "long"):
            self.refuse_above(f"group_min_{kind}", f"group_max_{kind}")

    def facts(self) -> SliceFacts:
        """State what the checker's rules must know of the policy: it orders groups."""
        return replace(super().facts(), groups=True, around_plans=self.dynamic)

    def measures(self) -> tuple[str, ...]:
        """Return ``groups``."""
        return ("groups",)
