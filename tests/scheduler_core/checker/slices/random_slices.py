"""Legal schedules in slices of classes, drawn by chance, of workloads that are drawn too; on the scale of minutes."""

import random

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from tests.scheduler_core.checker.concurrent_gang.machine_in_slices import WORDS, MachineInSlices, S

ASKED = {**WORKLOAD_COLUMNS, "class": WORKLOAD_OPTIONAL["class"]}
SMALL = {  # intervals of two minutes, so that few jobs make many slices
    "interval_s": 120.0,
    "switch_s": 3.0,
    "short_slice_s": 30.0,
    "short_limit_s": 30.0,
    "medium_limit_s": 150.0,
}
GROUPS = {
    "group_min_medium": 3,
    "group_min_long": 2,
    "group_max_medium": 6,
    "group_max_long": 4,
    "group_run_s_medium": 30.0,
    "group_run_s_long": 100.0,
    "long_wide_min": 2,
    "long_wide_max": 3,
    "orders": 50,
}


def random_workload(seed, jobs=40, processors=16, gap_s=25):
    draw = random.Random(seed)
    rows, submit = [], 0
    for number in range(1, jobs + 1):
        whole = draw.choice((0, 10 * S, draw.randrange(gap_s * S), 900 * S * (draw.random() < 0.05)))
        submit += whole
        runtime = draw.choice((draw.randint(1, 30 * S), draw.randint(30 * S, 150 * S), draw.randint(150 * S, 500 * S)))
        estimate = max(1, int(runtime * draw.choice((0.7, 1, 1, 1.6))))
        size = draw.randint(1, draw.choice((4, processors, processors + (draw.random() < 0.2))))
        rows.append((number, submit, runtime, estimate, size, draw.choice((None, None, None, *WORDS))))
    return Workload(pl.DataFrame(rows, schema=ASKED, orient="row"), Machine(processors))


def random_slices(workload, seed=0, name="pect", **parameters):
    small = {**SMALL, **(GROUPS if name == "pect_o" else {})}
    return MachineInSlices(workload, seed, name, {**small, **parameters}).run()
