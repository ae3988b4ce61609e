"""Schedules of grids, and the mutations of them."""

from dataclasses import replace
from functools import cache

import polars as pl

from scheduler_core.checker.grid.rules import RULES
from scheduler_core.checker.slices.rules import OF_EACH_CLUSTER
from tests.scheduler_core.checker.broken_schedules import by_name, changed, parameters, table, with_allocation
from tests.scheduler_core.checker.grid import chain_by_hand, grid_by_hand
from tests.scheduler_core.checker.grid.chain_mutations import CHAIN_MUTATIONS
from tests.scheduler_core.checker.grid.grid_by_hand import S
from tests.scheduler_core.checker.grid.grid_mutations import GRID_MUTATIONS, with_row
from tests.scheduler_core.checker.grid.random_grids import random_clusters
from tests.scheduler_core.checker.slices.broken_slices import alone, on_the_processors_of_another
from tests.scheduler_core.checker.slices.promise_mutations import PROMISE_MUTATIONS
from tests.scheduler_core.checker.slices.slice_mutations import SLICE_MUTATIONS

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

CHAINS = tuple(chain_by_hand.RUNS)
KINDS = {"own": {"smart": False}, "lent": {}, **dict.fromkeys(("worked by hand", "booked", *CHAINS))}
IDLE = frozenset()
OTHERS = {  # of single machines: they set parameters that a grid has not, or rely on there being one cluster
    "shares of the night",
    "a job takes processors of a suspended one",
    "a run on another cluster",
    "promises where only the first job has a reservation",
    "promises that others' starts may break",
    "finishes promised without the night",
}


@cache
def made(kind):
    """Return a workload and a legal schedule of it: clusters in slices with local jobs, or worked by hand.

    ``booked`` is a task on clusters in slices; the others are chains of two.
    """
    if kind in CHAINS:
        return chain_by_hand.workload(), chain_by_hand.schedule(kind)
    if kind == "worked by hand":
        return grid_by_hand.workload(), grid_by_hand.schedule()
    return grid_by_hand.task_in_slices() if kind == "booked" else random_clusters(3, jobs=60, gap_s=15, **KINDS[kind])


def within_a_cluster(schedule):
    """Leave the jobs of the last cluster."""
    return replace(schedule, held=schedule.allocations.filter(pl.col("cluster") == 2))


ON_CLUSTERS = {
    ("no slice idles while jobs of its class wait", "own"): {
        "a job waits in a slice without jobs": lambda s: with_allocation(s, alone(s), begin_us=pl.col("begin_us") + 1)
    },
    ("started jobs of a class hold processors of their own", "own"): {
        "a job takes processors of a suspended one": lambda s: on_the_processors_of_another(within_a_cluster(s))
    },
    ("predicted finishes follow from predicted starts", "booked"): {
        "a finish predicted a tick early": lambda s: changed(
            changed(s, "candidates", "finish_us", -1), "candidates", "latest_us", -1
        ),
        "a start predicted outside the slices of the class": lambda s: changed(s, "candidates", "start_us", -1),
        "a slot that is longer than its class takes": lambda s: changed(s, "slides", "finish_us", 1),
        "a prediction by the interval before it is laid out": lambda s: changed(s, "candidates", "start_us", -660 * S),
    },
    ("slots slide by the rules", "booked"): {
        "a slot slides down past its frame": lambda s: parameters(
            with_row(s, "slides", cause="slid_down", start_us=4320 * S, finish_us=11_828 * S),
            slide_down_backfill=True,
            reservations="rebooked",
        ),
        "a slot recalculated without permission": lambda s: parameters(
            with_row(s, "slides", cause="recalculated"), reservations="rebooked"
        ),
        "a slot booked again where slots are recalculated": lambda s: with_row(s, "slides", cause="not_ready"),
    },
    ("slices follow from interval, switch and shares", "own"): {
        "clusters with shares of others": lambda s: parameters(s, share_medium=0.31),
        "slices of a cluster there is not": lambda s: table(s, "slices", cluster=3),
        "slices of the cluster before": lambda s: table(s, "slices", cluster=pl.col("cluster") - 1),
    },
}

OF_SINGLE_MACHINES = {
    name: (rule, kind, change)
    for name, (rule, kind, change) in by_name(SLICE_MUTATIONS, PROMISE_MUTATIONS).items()
    if rule in OF_EACH_CLUSTER and kind in KINDS and name not in OTHERS
}
"""Mutations of a machine in slices that clusters in slices must catch, too."""

MUTATIONS = OF_SINGLE_MACHINES | by_name(GRID_MUTATIONS, ON_CLUSTERS, CHAIN_MUTATIONS)

ALONE = {  # mutations that break one rule and no other
    "a home is another",
    "a task is called killed",
    "a task does the work of another cluster",
    "another time is drawn for a transfer",
    "a rank is another",
    "bookings in ascending order",
    "clusters are asked in another order",
    "a latest finish a tick late",
    "data expected too early",
    "frames by another way to move ahead",
    "a task freed before its predecessors are done",
    "a slot slides down without permission",
    "late_tasks counted wrongly",
    "a task with a kept slot starts a slice late",
    "a rigid task starts a slice late",
    "a task starts before the clock comes to its slot",
    "a local job runs where a kept slot waits",
    "a local job runs where a rigid slot waits",
    "a slot that was taken along takes the processors of another",
    "a slot does not make way for a task that starts",
    "a kept slot is recalculated",
    "a slot moves further than it must",
    "a recalculated slot is kept",
    "a job that fits is overtaken",
    "a job that fits before a slot is overtaken",
    "slots in the worst case where the mean is taken",
    "data expected after the earliest start",
    "frames from the earliest start with more slack",
}
