"""The figure of the study of Concurrent Gang on machines of today."""

from typing import Any

import duckdb

from reports.draw.charts import NoData, in_order, queries_of, titled
from reports.figures.forms.arms import arms
from reports.figures.forms.pooled import pooled_ratios

rows_of = queries_of(__file__)

MACHINES = {
    ("machine-disk", "then"): "2000: switch 200 µs, Myrinet, disk",
    ("machine-disk", "switch"): "switch 2 µs",
    ("machine-disk", "rdma"): "switch 2 µs, RDMA",
    ("machine-nvme", "rdma"): "all that and NVMe",
    ("machine-nvme-short", "rdma"): "NVMe, computing as short",
}
"""Machines, by workload and by what ids of policies begin with: each has what those before it have."""

SYSTEMS = {
    "rr": ("Without priorities", "#cc79a7"),
    "prio": ("Concurrent Gang", "#009e73"),
    "prio-84": ("Concurrent Gang, formula 8.4", "#7fc4a0"),
    "rt": ("Gang with measurements", "#0b7bc1"),
    "dhc-rt": ("DHC with measurements", "#d98c00"),
}
"""Systems, by what ids of policies end with: in words, and their colours."""


def ranking(connection: duckdb.DuckDBPyConnection) -> Any:
    """What each system gains, from the machine of 2000 to one of today.

    Work done (computing, messages, disk requests served) over that of gang scheduling with the same jobs, on a full
    machine of 16 processors, with 95 % intervals over {units} draws. Each machine adds to the one above it. On the
    last, I/O jobs also compute between two requests for as short a time as a request takes, so that they are as
    I/O-bound as in 2000.
    """
    found = rows_of(connection, "concurrent_gang_machines")
    work = {(row["workload"], row["policy"], row["unit"]): row["value"] for row in found}
    rows = [
        {"panel": "Work over gang scheduling", "machine": name, "kind": words, "unit": unit,
         "value": work[workload, f"{era}-{system}", unit], "versus": work[workload, f"{era}-gang", unit]}
        for (workload, era), name in MACHINES.items() for system, (words, _) in SYSTEMS.items()
        for unit in in_order(found, "unit")
        if {(workload, f"{era}-{system}", unit), (workload, f"{era}-gang", unit)} <= work.keys()
    ]  # fmt: skip
    if not rows:
        raise NoData("Nothing but gang scheduling was run.")
    made = pooled_ratios(rows)
    chart = arms(made, dict(SYSTEMS.values()), "machine", "Over gang scheduling (log scale)", about_one=True, columns=1)
    return titled(chart, made)
