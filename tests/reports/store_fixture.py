"""A small store with generated rows, for figures and pages: greedy schedules of random jobs in the schema's tables."""

import heapq
import json
import math
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from reports.measure.loading import load_families
from tests.paths import PROJECT
from tests.reports.claims_fixture import add_claims

SCHEMA = PROJECT / "reports" / "measure" / "sql" / "schema.sql"
POLICIES = {
    "fcfs": "FCFS",
    "sjf": "SJF",
    "easy": "EASY",
    "easy_sjbf": "EASY-SJBF",
    "conservative": "Conservative",
    "priority": "Priority + EASY",
}
DIALECTS = {
    "easy": "EASY",
    "easy-extra-off": "No extra processors",
    "easy-once": "Reservation computed once",
    "easy-candidates-50": "At most 50 candidates",
}
FAIR = {"fair_start": "Fair start reference"}
TOGETHER = {**POLICIES, **DIALECTS, **FAIR}
CLOCK = {"start_s": 893466664, "utc_offset_s": -25200, "zone": "US/Pacific"}
US = 1_000_000
METRICS_SQL = {
    "mean_wait": "avg(wait_s)",
    "mean_bounded_slowdown_10": "avg(bounded_slowdown_10)",
    "mean_response": "avg(response_s)",
    "p95_wait": "quantile_cont(wait_s, 0.95)",
}
COLOURS = {"fcfs": "#8a8a8a", "sjf": "#d98c00", "easy": "#0b7bc1", "easy_sjbf": "#56b4e9", "conservative": "#009e73",
           "priority": "#cc79a7"}  # fmt: skip


def schedule(submit: np.ndarray, run: np.ndarray, size: np.ndarray, machine: int, policy: str) -> np.ndarray:
    """Start jobs greedily: strictly first come first served for ``fcfs``, else the first that fit in some order."""
    start = np.zeros(len(submit), dtype=np.int64)
    running: list[tuple[int, int]] = []
    queue: list[int] = []
    free, now, upcoming = machine, 0, 0
    skip = {"fcfs": 1, "conservative": 6, "easy-candidates-50": 8}.get(policy, len(submit))
    while upcoming < len(submit) or queue:
        times = [int(submit[upcoming])] if upcoming < len(submit) else []
        now = min(times + ([running[0][0]] if running else []))
        while running and running[0][0] <= now:
            free += heapq.heappop(running)[1]
        while upcoming < len(submit) and submit[upcoming] <= now:
            queue.append(upcoming)
            upcoming += 1
        order = sorted(queue, key=lambda job: run[job]) if policy in ("sjf", "easy_sjbf", "priority") else queue
        for job in order[:skip]:
            if size[job] <= free:
                start[job] = now
                free -= int(size[job])
                heapq.heappush(running, (now + int(run[job]), int(size[job])))
                queue.remove(job)
            elif policy in ("fcfs", "easy-once"):
                break
    return start


def add_jobs(con: duckdb.DuckDBPyConnection, columns: dict[str, object]) -> None:
    """Insert jobs by way of a parquet file, the quick way in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.parquet"
        pl.DataFrame(columns).write_parquet(path)
        con.execute("INSERT INTO jobs BY NAME SELECT * FROM read_parquet(?)", [str(path)])


def add_runs(
    con: duckdb.DuckDBPyConnection, workload: str, machine: int, load: float, policies: list[str], n: int
) -> None:
    """Simulate and insert the jobs of one workload under each policy."""
    for replication in range(1 if load == 0 else 2):
        rng = np.random.default_rng([len(workload), replication, n, int(load * 100)])
        size = np.minimum(2 ** rng.integers(0, int(math.log2(machine)) + 1, n), machine).astype(np.int64)
        run = np.maximum(rng.lognormal(7.0, 1.6, n), 1.0)
        gap = float((size * run).sum()) / (machine * (load or 0.9) * n)
        submit = np.cumsum(rng.exponential(gap, n))
        estimate = run * rng.uniform(1, 6, n)
        submit_us, run_us = (submit * US).astype(np.int64), (run * US).astype(np.int64)
        for policy in policies:
            start = schedule(submit_us, run_us, size, machine, policy)
            add_jobs(
                con,
                {
                    "workload": workload, "policy": policy, "replication": replication, "job": np.arange(1, n + 1),
                    "submit_us": submit_us, "runtime_us": run_us, "estimate_us": (estimate * US).astype(np.int64),
                    "size": size, "start_us": start, "finish_us": start + run_us, "processors": size, "preemptions": 0,
                    "outcome": "finished", "wait_us": start - submit_us, "batch": np.arange(n) * 10 // n,
                },
            )  # fmt: skip
            con.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, ?, 0, 0, 0, 'a', 'b', '{}', 0.01, 0.02, NULL)",
                [workload, policy, replication, n, n],
            )
            con.execute(
                "INSERT INTO certificates VALUES (?, ?, ?, 'starts after submission', ?, 0), (?, ?, ?, 'capacity', ?, 0)",
                [workload, policy, replication, n, workload, policy, replication, 2 * n],
            )


def add_metrics(con: duckdb.DuckDBPyConnection) -> None:
    """Fill measurements, intervals and comparisons from the jobs; the intervals are over ten batches of each replication."""
    con.execute(
        "CREATE TEMP TABLE batches (workload VARCHAR, policy VARCHAR, unit INTEGER, metric VARCHAR, value DOUBLE)"
    )
    for name, expression in METRICS_SQL.items():
        con.execute(
            f"INSERT INTO measurements SELECT workload, policy, 'replication', replication, '{name}', 'all', {expression} "
            "FROM job_times GROUP BY ALL"
        )
        con.execute(
            f"INSERT INTO batches SELECT workload, policy, batch + 10 * replication, '{name}', {expression} "
            "FROM job_times GROUP BY ALL"
        )
    con.execute(
        "INSERT INTO measurements SELECT DISTINCT workload, policy, 'replication', replication, m, 'all', v FROM jobs, "
        "(VALUES ('utilisation', 0.7), ('steady_utilisation', 0.8), ('loss_of_capacity', 0.1)) AS t(m, v)"
    )
    con.execute(
        "INSERT INTO measurements SELECT workload, policy, 'replication', replication, m, c, v FROM runs, "
        "(VALUES ('short narrow', 9.0), ('long wide', 3.0), ('any wide', 4.0)) AS t(c, v), "
        "(VALUES ('mean_bounded_slowdown_10'), ('jobs')) AS s(m)"
    )
    con.execute(
        "INSERT INTO batches SELECT j.workload, j.policy, j.batch + 10 * replication, "
        "unnest(['late_share', 'mean_miss_time']), unnest([avg((j.start_us > f.start_us)::INTEGER), "
        "avg(greatest(0, j.start_us - f.start_us)) / 1e6]) FROM jobs AS j JOIN jobs AS f USING (workload, replication, job) "
        "WHERE f.policy = 'fair_start' AND j.policy <> 'fair_start' GROUP BY j.workload, j.policy, j.batch, replication"
    )
    con.execute(
        "INSERT INTO intervals SELECT workload, policy, metric, 'all', avg(value), avg(value) - h, avg(value) + h, '', count(*), "
        "0.1, 'batch means' FROM (SELECT *, 2.2 * stddev(value) OVER w / sqrt(10) AS h FROM batches "
        "WINDOW w AS (PARTITION BY workload, policy, metric)) GROUP BY workload, policy, metric, h"
    )
    for pair in (
        "x.workload = y.workload AND y.policy = 'easy' AND x.policy <> 'easy'",
        "x.policy = y.policy AND x.workload <> y.workload AND y.workload = 'sdsc-sp2-f1' AND x.workload LIKE 'sdsc-sp2%'",
    ):
        con.execute(
            "INSERT INTO comparisons SELECT workload, policy, versus, other, metric, 'all', avg(a), avg(b), avg(a - b), "
            "avg(a - b) - h, avg(a - b) + h, avg(a) / avg(b), avg(a) / avg(b) * 0.8, avg(a) / avg(b) * 1.25, count(*), "
            "'paired batches' FROM (SELECT x.workload, x.policy, y.workload AS versus, y.policy AS other, metric, "
            "x.value AS a, y.value AS b, 2.2 * stddev(x.value - y.value) OVER "
            "(PARTITION BY x.workload, x.policy, y.workload, y.policy, metric) / sqrt(10) AS h "
            f"FROM batches AS x JOIN batches AS y USING (unit, metric) WHERE {pair}) "
            "GROUP BY workload, policy, versus, other, metric, h"
        )


def add_series(con: duckdb.DuckDBPyConnection) -> None:
    """Fill the series with smooth made-up curves."""
    con.execute(
        "INSERT INTO series SELECT workload, policy, i * 3600.0, 3600.0, 0.7 + 0.2 * sin(i / 9), "
        "20 + 15 * sin(i / 7 + length(policy)), 200.0 FROM (SELECT DISTINCT workload, policy FROM jobs), range(200) AS r(i)"
    )


def add_workload(con: duckdb.DuckDBPyConnection, name: str, label: str, kind: str, source: str, **more: object) -> None:
    """Add a workload's row."""
    row = {
        "workload": name, "label": label, "kind": kind, "source": source, "machine": "IBM <SP2>", "processors": 128,
        "replications": 1, "jobs": 0, "offered_load": None, "target_load": None, "variant_of": None, "variant": None,
        "missing": False, "provenance": json.dumps([{"clock": CLOCK}]), "drawn": False, **more,
    }  # fmt: skip
    con.execute(f"INSERT INTO workloads VALUES ({', '.join('?' * len(row))})", list(row.values()))


def build(path: Path, jobs: int = 240) -> Path:
    """Write a store with two logs (one missing), a model at three loads, and estimate variants."""
    con = duckdb.connect(str(path))
    con.execute(SCHEMA.read_text())
    con.execute(
        "INSERT INTO studies VALUES ('baseline', 'Baseline policies', 'Which for which log?', 'easy', NULL, ['fcfs', 'easy'], "
        "'{}', 0)"
    )
    con.execute(
        "INSERT INTO studies VALUES ('easy_dialects', 'Dialects', 'What does each cost?', 'easy', ['mean_wait'], [], '{}', 1)"
    )
    load_families(con)
    for place, (policy, label) in enumerate(TOGETHER.items()):
        con.execute(
            "INSERT INTO policies VALUES (?, ?, ?, 'space_sharing', '{}', [], 'Someone 1995', ?, ?)",
            [policy, label, policy, COLOURS.get(policy), place],
        )
    add_workload(con, "sdsc-sp2", "SDSC SP2", "log", "SDSC-SP2-1998-4.2-cln", jobs=jobs, offered_load=0.9)
    add_workload(
        con, "lanl-cm5", "LANL CM5", "log", "LANL-CM5-1994-4.1-cln", jobs=jobs, offered_load=0.8, processors=64
    )
    add_workload(con, "sdsc-blue", "SDSC Blue", "log", "SDSC-BLUE-2000-4.2-cln", missing=True)
    cells = [("sdsc-sp2", 128, 0.0), ("lanl-cm5", 64, 0.0)]
    for load in (0.5, 0.75, 0.95):
        name = f"lublin-load-{int(load * 100):03d}"
        add_workload(con, name, f"Lublin, load {load:g}", "model", "lublin", jobs=2 * jobs, replications=2,
                     offered_load=load, target_load=load)  # fmt: skip
        cells.append((name, 128, load))
    for factor in (1, 3, 10):
        name = f"sdsc-sp2-f{factor}"
        add_workload(con, name, f"SDSC SP2, f = {factor}", "log", "SDSC-SP2-1998-4.2-cln", jobs=jobs, offered_load=0.9,
                     variant_of="sdsc-sp2", variant="exact" if factor == 1 else f"f = {factor}")  # fmt: skip
        cells.append((name, 128, 0.0))
    for workload, machine, load in cells:
        policies = [*TOGETHER] if workload in ("sdsc-sp2", "lanl-cm5") else [*POLICIES]
        add_runs(con, workload, machine, load, policies, jobs)
    for study, known in (("baseline", POLICIES), ("easy_dialects", DIALECTS)):
        shown = [c[0] for c in cells] if study == "baseline" else ["sdsc-sp2", "lanl-cm5"]
        for position, (workload, policy) in enumerate((w, p) for w in [*shown, "sdsc-blue"] for p in known):
            con.execute("INSERT INTO cells VALUES (?, ?, ?, ?)", [study, workload, policy, position])
    con.execute(
        "INSERT INTO accounting VALUES ('sdsc-sp2', 'comment', '', 40), ('sdsc-sp2', 'kept', '', 230), "
        "('sdsc-sp2', 'repaired', 'estimate below run time', 10), ('sdsc-sp2', 'rejected', 'no run time', 7)"
    )
    con.execute(
        "INSERT INTO users SELECT DISTINCT workload, replication, job, job % 7 FROM jobs WHERE workload = 'sdsc-sp2'"
    )
    add_metrics(con)
    add_series(con)
    add_claims(con)
    con.close()
    return path
