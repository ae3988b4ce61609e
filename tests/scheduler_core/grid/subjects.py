"""Small grids for the policy of the grid, with parameters on their time scale, by families of parameters."""

import functools

from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.examples import YES_NO, Chooser, Parameters
from tests.scheduler_core.grid.cases import GridCase
from tests.scheduler_core.grid.draws import draw_grid, draw_sites
from tests.scheduler_core.grid.features import EXERCISED
from tests.scheduler_core.grid.ways import WAYS
from tests.scheduler_core.slices.subjects import SECOND, draw_interval
from tests.scheduler_core.subjects import Subject, with_defaults


def draw_frames(choose: Chooser) -> Parameters:
    """Draw how frames are made, and who is told of data that are there.

    Along a chain spare time grows by 1 / (1 - maf x nbp) per task; much more of it would take the oracle through all intervals.
    """
    return {
        "frame_rule": choose.one_of(("literal", "literal", "earliest_start", "scheduled_start", "spare_time", "rigid")),
        "slpa": choose.one_of((0, 0.5, 1, 1, 2, 3.5)),
        "slpb": choose.one_of((0, 0, 0.5, 1, 3)),
        "maf": choose.one_of((0, 4, 4, 4, 6)),
        "nbp_medium": choose.one_of((0.025, 0.06)),
        "nbp_long": choose.one_of((0.04, 0.08)),
        "propagation": choose.one_of(YES_NO),
        "transfers_known": choose.one_of(("matrix", "matrix", "mean")),
        "ties": choose.one_of(("first", "first", "least_loaded")),
    }


def draw_local(choose: Chooser, local: tuple[str, ...], rigid: bool) -> Parameters:
    """Draw what clusters do, with frames that may be rigid: those are not recalculated where classes take turns."""
    policy = choose.one_of(local)
    if policy != "pect":
        return {"local": policy, "reservations": choose.one_of(("recalculated", "rebooked"))}
    rules = ("kept", "rebooked") if rigid else ("recalculated", "recalculated", "kept", "kept", "rebooked", "rebooked")
    values = {
        "local": policy,
        "nominal": choose.one_of(("worst_case", "worst_case", "mean")),
        "reservations": choose.one_of(rules),
    }
    return values | (draw_slides_down(choose) if values["reservations"] == "rebooked" else {})


def draw_slides_down(choose: Chooser) -> Parameters:
    """Draw in which ways slots slide down."""
    ways = ((False, False), (True, False), (True, False), (False, True), (True, True))
    backfill, avoid_preemption = choose.one_of(ways)
    return {"slide_down_backfill": backfill, "slide_down_avoid_preemption": avoid_preemption}


def draw_case(choose: Chooser, large: bool, family: str) -> GridCase:
    """Draw an example."""
    tasks, local = FAMILIES[family]
    tick = choose.one_of((SECOND, SECOND, SECOND, 500_000, 999_983, 1_234_567))
    sites = draw_sites(choose, large)
    values = draw_interval(choose, tick) | {"smart": choose.one_of((True, True, False))}
    values |= draw_frames(choose)
    values |= draw_local(choose, local, values["frame_rule"] == "rigid")
    policy = get_policy("grid", **values, tasks=choose.one_of(tasks))
    jobs, homes, workflows, run_times = draw_grid(choose, sites, tick, large)
    inner = {"sites": sites, "homes": homes, "workflows": workflows, "run_times": run_times}
    return GridCase(jobs, sum(site.processors for site in sites), policy, **inner)


FAMILIES = {
    "slices": (("reserved",), ("pect",)),
    "space": (("reserved",), ("easy", "conservative")),
    "submitted": (("when_ready", "just_in_time", "independent"), ("pect", "pect", "easy", "conservative")),
}
"""How tasks come to clusters, and the policies of these."""


TIMES = {"interval_s", "switch_s", "short_slice_s", "share_medium", "share_long", "short_limit_s", "medium_limit_s"}
FRAMES = {"frame_rule", "slpa", "slpb", "maf", "propagation", "transfers_known", "ties"}
SLIDING = {"nominal", "reservations", "slide_down_backfill", "slide_down_avoid_preemption"}

DECIDES = {
    "slices": {*TIMES, *FRAMES, *SLIDING, "nbp_medium", "nbp_long", "smart"},
    "space": {*FRAMES, "nbp_medium", "nbp_long", "local", "short_limit_s", "medium_limit_s"},
    "submitted": {*TIMES, "tasks", "ties", "transfers_known", "nominal", "reservations", "smart", "local"},
}
"""Parameters that must decide some schedule of a family's examples."""

OTHERS = {
    "interval_s": {"interval_s": 100.0},
    "switch_s": {"switch_s": 0.5},
    "short_slice_s": {"short_slice_s": 2.0},
    "short_limit_s": {"short_limit_s": 2.0},
}
"""Values to compare with where the default does not go with the rest."""


def subject(family: str) -> Subject:
    """Return what is drawn for a family."""
    decides = with_defaults(DECIDES[family], OTHERS)
    return Subject(
        WAYS, functools.partial(draw_case, family=family), EXERCISED[family], decides, seeds=200, large_seeds=5
    )


SUBJECTS = {family: subject(family) for family in FAMILIES}
"""Families of parameters that go together, by name."""
