"""Hand-worked schedules of group optimisation (Kanavallil 2007, chapter 6).

All happens in one medium slice, from 0 to 900, on a machine meant for medium jobs for a quarter of the time: what an estimated
response time has in store is taken four times.
"""

from tests.scheduler_core.scenario import Scenario, asked, scenario
from tests.scheduler_core.slices.ways import Worked

SLICE = (
    "interval_s=1000, switch_s=0, short_slice_s=50, share_medium=0.25, share_long=0.025, short_limit_s=0, "
    "bound_s=1, group_size_factor_medium=0, group_work_factor_medium=0"
)
"""What is left of the interval goes to medium and long jobs as ten to one: 909.09 s and the rest."""


@scenario
def best_order_of_two() -> Scenario:
    """40 s and 10 s on the whole machine, both of slowdown 4 at first: in this order 4 + 20, in the other 4 + 5.

    The other order has one discrepancy. It wins also with respect to the mean response time (120 s, not 180 s).
    """
    group = f"{SLICE}, group_min_medium=2"
    kept = ((0, 40), (40, 50))
    return Scenario(
        processors=2,
        jobs=(asked(0, 40, 2), asked(0, 10, 2)),
        schedules={
            f"pect_o({group}, discrepancies_from=1)": Worked(
                ((10, 50), (0, 10)),
                groups=(("medium", 0, 50, 0, 2, 4, 0, 0, 24.0, 9.0),),
                members=((1, 0),),
                improvements=((1, 0, 1, 24.0), (1, 0, 2, 9.0)),
                promises=((0, 0, 0, 0, 90), (1, 0, 0, 40, 100), (1, 0, 1, 0, 10), (0, 0, 1, 10, 50)),
                counters={"groups_medium": 1, "grouped": 2, "orders": 2, "tree_nodes": 4, "backfilled": 1},
            ),
            f"pect_o({group})": Worked(
                kept,
                groups=(("medium", 0, 50, 0, 2, 2, 0, 0, 24.0, 24.0),),
                members=((0, 1),),
                improvements=((1, 0, 1, 24.0),),
            ),
            f"pect_o({group}, discrepancies_from=1, second_level=False)": Worked(
                kept, groups=(("medium", 0, 50, 0, 0, 0, 0, 0, 24.0, 24.0),), improvements=()
            ),
            f"pect_o({group}, discrepancies_from=1, group_max_medium=2)": Worked(
                kept,
                groups=(("medium", 0, 50, 0, 2, 2, 0, 0, 24.0, 24.0),),
                improvements=((1, 0, 1, 4.0), (1, 1, 1, 24.0)),
            ),
            f"pect_o({group}, discrepancies_from=1, orders=1)": Worked(kept),
            f"pect_o({group}, discrepancies_from=1, group_min_medium=3)".replace("group_min_medium=2, ", ""): Worked(
                kept, groups=(), members=()
            ),
            f"pect_o({group}, discrepancies_from=3, long_wide_min=2, group_run_s_medium=10)": Worked(
                ((10, 50), (0, 10)), groups=(("medium", 0, 50, 2, 2, 2, 0, 0, 9.0, 9.0),), members=((1, 0),)
            ),
            f"pect_o({group}, discrepancies_from=3, long_wide_min=2, group_run_s_medium=11)": Worked(
                kept, groups=(("medium", 0, 50, 0, 2, 2, 0, 0, 24.0, 24.0),)
            ),
        },
    )


@scenario
def cut_orders() -> Scenario:
    """10, 20 and 40 s on one processor: the heuristic's order, by run time, has 4 + 6 + 7 = 17 and is the best.

    By position: 021: 4 + 5 + 14; 102: 4 + 12 + 7; 120: 4 + 6 + 28; 201: 4 + 20, cut above the leaf; 210: 4 + 12 + 28. In
    this order they make, with the first, 3 + 2 + 3 + 2 + 2 + 2 nodes; one after another as 102, 201, 021, 120, 210:
    3 + 3 + 2 + 3 + 3 + 3. By one discrepancy, 021, 102, 201, then 120, 210: 3 + 2 + 3 + 2 + 3 + 3.
    """
    group = f"{SLICE}, group_min_medium=3, discrepancies_from=1, force_shift=False"
    times = ((0, 10), (10, 30), (30, 70))

    def with_nodes(nodes: int, pruned: int, leaves: int) -> Worked:
        return Worked(times, groups=(("medium", 0, 70, 0, 6, nodes, pruned, leaves, 17.0, 17.0),), members=((0, 1, 2),))

    return Scenario(
        processors=1,
        jobs=(asked(0, 10, 1), asked(0, 20, 1), asked(0, 40, 1)),
        schedules={
            f"pect_o({group})": with_nodes(14, 1, 4),
            f"pect_o({group}, branch_and_bound=False)": with_nodes(15, 0, 0),
            f'pect_o({group}, paths="front_first")': with_nodes(17, 1, 4),
            f'pect_o({group}, paths="dds")': with_nodes(17, 1, 4),
            f'pect_o({group}, paths="ilds")': with_nodes(16, 1, 4),
            f"pect_o({group}, force_shift=True)".replace("force_shift=False, ", ""): with_nodes(14, 1, 4),
        },
    )


def into_a_hole(last: float, ratio: str, schedule: Worked) -> Scenario:
    """Two of four processors are taken for 100 s when a job for four (100 s) and one for two, of so long, come.

    The heuristic takes the wide one first: 4 x 200 / 100 = 8. The other then begins 200 s from now.
    """
    group = f"{SLICE}, group_min_medium=2, orders=1{ratio}"
    jobs = (asked(0, 120, 2), asked(20, 100, 4), asked(20, last, 2))
    return Scenario(processors=4, jobs=jobs, schedules={f"pect_o({group})": schedule})


@scenario
def shifted_by_force() -> Scenario:
    """150 s into a hole of 100: the narrow job begins at once, 4, the wide one 150 s from now, 4 x 250 / 100 = 10."""
    before = 8 + 1400 / 150
    return into_a_hole(
        150,
        "",
        Worked(
            ((0, 120), (170, 270), (20, 170)),
            groups=(("medium", 20, 270, 0, 1, 4, 0, 0, before, 14.0),),
            members=((2, 1),),
            improvements=((1, 0, 1, before), (1, 0, 1, 14.0)),
        ),
    )


@scenario
def too_long_to_be_shifted() -> Scenario:
    """151 s are more than one and a half times 100 s.

    Utilisation is 1/2, 3/4 and 0.64 at the ends of the three jobs: the group ends with the second.
    """
    before = 8 + 1404 / 151
    return into_a_hole(
        151,
        "",
        Worked(((0, 120), (120, 220), (220, 371)), groups=(("medium", 20, 220, 0, 1, 2, 0, 0, before, before),)),
    )


@scenario
def shifted_by_a_higher_ratio() -> Scenario:
    """151 s are not more than 1.51 times 100 s: 4 + 4 x 251 / 100."""
    before = 8 + 1404 / 151
    return into_a_hole(
        151,
        ", shift_ratio=1.51",
        Worked(((0, 120), (171, 271), (20, 171)), groups=(("medium", 20, 271, 0, 1, 4, 0, 0, before, 4 + 10.04),)),
    )


@scenario
def finish_job() -> Scenario:
    """Two jobs of 100 s on all four processors, then one of 300 s on one: utilisation is 1 until 200, 0.55 until 500.

    After half the group (two of three) the group may end, with the second job; if all must be done it ends with the last.
    """
    group = f"{SLICE}, group_min_medium=3, second_level=False"
    total = 4 + 8 + 2000 / 300
    promises = (
        *((0, 0, 0, 0, 150), (1, 0, 0, 100, 250), (2, 0, 0, 200, 550)),
        *((0, 0, 1, 0, 100), (1, 0, 1, 100, 200), (2, 0, 1, 200, 500)),
    )
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 4), asked(0, 100, 4), asked(0, 300, 1)),
        schedules={
            f"pect_o({group})": Worked(
                ((0, 100), (100, 200), (200, 500)),
                groups=(("medium", 0, 200, 0, 0, 0, 0, 0, total, total),),
                promises=(*promises, (2, 200, 1, 200, 500)),
            ),
            f"pect_o({group}, finish_jobs=1)": Worked(
                ((0, 100), (100, 200), (200, 500)),
                groups=(("medium", 0, 500, 0, 0, 0, 0, 0, total, total),),
                promises=promises,
            ),
            f"pect_o({group}, finish_utilisation=0.5)": Worked(
                ((0, 100), (100, 200), (200, 500)), groups=(("medium", 0, 500, 0, 0, 0, 0, 0, total, total),)
            ),
            f"pect_o({group}, finish_dip=0.45)": Worked(
                ((0, 100), (100, 200), (200, 500)), groups=(("medium", 0, 500, 0, 0, 0, 0, 0, total, total),)
            ),
        },
    )


@scenario
def request() -> Scenario:
    """A short job comes while two medium jobs of a group have all processors until 200: it is to start then.

    Without requests, and nothing lent, it waits for the short slice of the next interval.
    """
    group = f"{SLICE}, group_min_medium=2, second_level=False, smart=False"
    medium = ((0, 100), (100, 200))
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 4), asked(0, 100, 4), asked(50, 30, 2, job_class="short")),
        schedules={
            f"pect_o({group})": Worked(
                (*medium, (200, 230)),
                held={2: ((200, 230, 1, "01"),)},
                counters={"requests": 1, "dynamic": 1, "started_elsewhere": 1},
            ),
            f"pect_o({group}, dynamic=False)": Worked(
                (*medium, (1000, 1030)), counters={"requests": 0, "dynamic": 0, "started_elsewhere": 0}
            ),
        },
    )


@scenario
def request_in_vain() -> Scenario:
    """A request for 200 (job 4) is cancelled then, as a short job (1) has waited longer, for all processors.

    A medium job (5), reserved behind the request for 230, has room from 200 on, and gets it when something happens next:
    another short job (6) comes at 210.
    """
    group = f"{SLICE}, group_min_medium=2, second_level=False, smart=False, finish_jobs=1"
    medium = ((0, 100), (100, 200), (200, 500))
    return Scenario(
        processors=4,
        jobs=(
            asked(0, 100, 4),
            asked(1, 20, 4, job_class="short"),
            asked(5, 100, 4),
            asked(5, 300, 1),
            asked(50, 30, 2, job_class="short"),
            asked(60, 100, 2),
            asked(210, 5, 1, job_class="short"),
        ),
        schedules={
            f"pect_o({group})": Worked(
                (medium[0], (1000, 1020), *medium[1:], (1020, 1050), (210, 310), (1020, 1025)),
                groups=(("medium", 5, 500, 0, 0, 0, 0, 0, 7.8 + 6.6, 7.8 + 6.6),),
                counters={"requests": 1, "dynamic": 0},
            ),
            f"pect_o({group}, guard=False)": Worked(
                (medium[0], (1000, 1020), *medium[1:], (200, 230), (230, 330), (210, 215)),
                counters={"requests": 1, "dynamic": 2},
            ),
        },
    )


@scenario
def at_once_around_the_plan() -> Scenario:
    """The second job of the group leaves two processors free, and a short job of 30 s that comes then starts at once."""
    group = f"{SLICE}, group_min_medium=2, second_level=False, smart=False"
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 4), asked(0, 100, 2), asked(150, 30, 2, job_class="short")),
        schedules={
            f"pect_o({group})": Worked(
                ((0, 100), (100, 200), (150, 180)),
                held={2: ((150, 180, 1, "23"),)},
                counters={"requests": 0, "dynamic": 1},
            )
        },
    )


@scenario
def holes_in_the_virtual_schedule() -> Scenario:
    """A job for four waits for two processors for 100 s, in which one of 50 s for the other two has room.

    Placed no earlier than the wide one it would begin after 200 s, 4 x 250 / 50 = 20; yet it starts when it can.
    """
    group = f"{SLICE}, group_min_medium=2, orders=1"
    times = ((0, 120), (120, 220), (20, 70))

    def with_slowdown(slowdown: float) -> Worked:
        return Worked(times, members=((1, 2),), groups=(("medium", 20, 220, 0, 1, 2, 0, 0, slowdown, slowdown),))

    return Scenario(
        processors=4,
        jobs=(asked(0, 120, 2), asked(20, 100, 4), asked(20, 50, 2)),
        schedules={
            f"pect_o({group})": with_slowdown(12.0),
            f"pect_o({group}, plan_backfilling=False)": with_slowdown(28.0),
        },
    )


@scenario
def a_longer_schedule_gives_way() -> Scenario:
    """Two jobs of 10 s and one of 20 s on two processors: the short ones first make 4 + 4 + 6, in 30 s.

    The long one beside the first or second makes 4 + 4 + 8, in 20 s. The three best are 012, 102 and 021: 30 s are not
    less than 1.1 x 20 s, and the last takes the place of the first. As printed a schedule gives way to a longer one only.
    The group that keeps the best ends with the short jobs: utilisation falls to 2/3.
    """
    group = f"{SLICE}, group_min_medium=3, discrepancies_from=1, branch_and_bound=False, force_shift=False"
    best = Worked(
        ((0, 10), (0, 10), (10, 30)),
        groups=(("medium", 0, 10, 0, 6, 15, 0, 0, 14.0, 14.0),),
        members=((0, 1, 2),),
        improvements=((1, 0, 1, 14.0),),
    )
    return Scenario(
        processors=2,
        jobs=(asked(0, 10, 1), asked(0, 10, 1), asked(0, 20, 1)),
        schedules={
            f"pect_o({group})": Worked(
                ((0, 10), (10, 20), (0, 20)),
                groups=(("medium", 0, 20, 0, 6, 15, 0, 0, 14.0, 16.0),),
                members=((0, 2, 1),),
                improvements=((1, 0, 1, 14.0),),
            ),
            f'pect_o({group}, select="slowdown")': best,
            f'pect_o({group}, select="literal")': best,
        },
    )


@scenario
def the_next_group() -> Scenario:
    """All jobs of the first group run when two more wait: they are the second, and the first has ended."""
    group = f"{SLICE}, group_min_medium=2, second_level=False"
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 2), asked(0, 100, 2), asked(10, 100, 2), asked(10, 100, 2)),
        schedules={
            f"pect_o({group})": Worked(
                ((0, 100), (0, 100), (100, 200), (100, 200)),
                groups=(("medium", 0, 10, 0, 0, 0, 0, 0, 8.0, 8.0), ("medium", 10, 200, 0, 0, 0, 0, 0, 15.2, 15.2)),
                members=((0, 1), (2, 3)),
            )
        },
    )
