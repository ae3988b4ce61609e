"""Figures of chapter 6 of da Silva's thesis: jobs of one kind on 16 processors, gang scheduling against Concurrent Gang."""

from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, policies_of, queries_of, titled
from reports.draw.theme import ACCENT
from reports.figures.forms.arms import arms
from reports.figures.forms.pooled import pooled, pooled_ratios
from reports.figures.forms.series_lines import series_lines
from reports.figures.forms.stacked import activity_shares, stacked

rows_of = queries_of(__file__)

GANG = "gang-6"
IO, COMPUTE, BSP, MSG = WORKLOADS = ["chapter-6-io", "chapter-6-compute", "chapter-6-bsp", "chapter-6-msg"]
POLICIES = [GANG, "cg_local", "cg_rr", "cg_prio", "cg_prio_84"]
THROUGHPUT = {IO: "6.4", COMPUTE: "6.6", BSP: "6.8", MSG: "6.11"}
IDLE_TIME = {IO: "6.5", COMPUTE: "6.7", BSP: "6.10", MSG: "6.12"}
"""Numbers of the thesis' figures."""

SIZES = {True: ("one task", "#d98c00"), False: ("several tasks", ACCENT)}
"""Kinds of jobs by size, in words, and their colours."""


def chapter_6_throughput(connection: duckdb.DuckDBPyConnection) -> Any:
    """Jobs completed as time goes on, by what jobs do (thesis, Figures 6.4, 6.6, 6.8 and 6.11).

    Mean over {units} draws of the jobs, the same ones in every panel and under every scheduler; bands are 95 % intervals. Bands
    are wide because draws differ. All schedulers meet the same jobs, so the figure of gains tells more. The thesis shows one
    draw, without numbers, from 10,000 to 40,000 s. Lines lie on one another under I/O and computation, where local schedulers
    hardly differ.
    """
    return _by_time(connection, "completed", THROUGHPUT, "Jobs completed", 1)


def chapter_6_idle_time(connection: duckdb.DuckDBPyConnection) -> Any:
    """Idle time as it adds up, by what jobs do (thesis, Figures 6.5, 6.7, 6.10 and 6.12).

    Processor time without a running task, and with one that spins, which the thesis counts as idle in this chapter; switching
    counts as neither idle nor useful. Mean over {units} draws, bands are 95 % intervals. Lines lie on one another under I/O and
    computation, where local schedulers hardly differ.
    """
    return _by_time(connection, "idle", IDLE_TIME, "Idle time (processor hours)", 3600)


def chapter_6_gains(connection: duckdb.DuckDBPyConnection) -> Any:
    """What a local scheduler changes, by what jobs do.

    Jobs completed and idle time until the end of the run ({until} s), over those of gang scheduling on the same jobs,
    with 95 % intervals over {units} draws. A hollow mark may be chance: its interval contains 1, or has no bounds.
    Right of the dashed line more jobs are completed, left of it processors are idle less. "Formula 8.4" is the
    priority of chapter 8, with its floor, on the classifier of chapter 6.
    """
    rows = []
    for what, words in (("completed", "Jobs completed"), ("idle", "Idle time")):
        found = _rows(connection, what, parts=1)
        gang = {(row["workload"], row["unit"]): row["value"] for row in found if row["policy"] == GANG}
        rows += [
            {"panel": words, "workload": row["workload_label"], "kind": row["policy_label"], "until": row["end_s"],
             "unit": row["unit"], "value": row["value"], "versus": gang[row["workload"], row["unit"]]}
            for row in found if row["policy"] != GANG
        ]  # fmt: skip
        known = {look.label: look.colour for look in policies_of(connection, found) if look.policy != GANG}
    made = pooled_ratios(rows)
    chart = arms(made, known, "workload", "Over gang scheduling (log scale)", about_one=True, columns=2)
    return titled(chart, made, until=f"{max(row['until'] for row in made):,.0f}")


def chapter_6_activities(connection: duckdb.DuckDBPyConnection) -> Any:
    """What processors do with their time, by what jobs do.

    Mean shares over {units} draws. Grey is idle: dark where the slice's owner waits and no other task runs, light where the slice
    has no owner on the processor. Spinning looks busy and does nothing; the thesis counts it as idle in chapter 6.
    """
    return activity_shares(rows_of(connection, "processor_activities", workloads=WORKLOADS, policies=POLICIES))


def chapter_6_one_task_jobs(connection: duckdb.DuckDBPyConnection) -> Any:
    """Jobs of one task, which never wait for others, and jobs of several.

    Left: jobs completed in a run, mean over {units} draws. Right: the processor time that the local scheduler gave, by whose
    tasks it ran. The thesis explains its gain by the "better service" that jobs of one task get in idle slots. The claims say
    whether there is a gain here.
    """
    found = rows_of(connection, "concurrent_gang_by_size", workloads=[BSP, MSG])
    words = {"completed": "jobs completed", "local_h": "given by the local scheduler (processor hours)"}
    rows = pooled([
        {"panel": f"{row['workload_label']}: {words[column]}", "policy_label": row["policy_label"],
         "words": SIZES[row["one_task"]][0], "place": int(not row["one_task"]), "unit": row["unit"], "value": row[column]}
        for column in words for row in found
    ])  # fmt: skip
    rows.sort(key=lambda row: row["panel"].split(": ")[0] != found[0]["workload_label"])
    chart = stacked(
        rows, "panel", alt.X("value:Q", title=None, axis=alt.Axis(tickCount=5)), dict(SIZES.values()), "words", ",.1f"
    )
    return chart.resolve_scale(x="independent")


def chapter_6_blocks(connection: duckdb.DuckDBPyConnection) -> Any:
    """How often tasks block while they wait for others.

    Times that a task blocked, for each barrier that a job passed or message that was received: mean over {units} draws with 95 %
    intervals. Under gang scheduling tasks spin and never block. A task that the local scheduler starts alone blocks at its first
    barrier, is missing as its job's slice comes, and takes its companions with it (thesis, Figure 6.9).
    """
    found = rows_of(connection, "concurrent_gang_by_size", workloads=[BSP, MSG])
    rows = [
        {"panel": "Blocks while waiting for others", "workload": row["workload_label"], "kind": row["policy_label"],
         "unit": row["unit"], "value": row["blocked"], "versus": row["waits"]}
        for row in found if not row["one_task"] and row["policy"] != GANG and row["blocked"] > 0
    ]  # fmt: skip
    if not rows:
        raise NoData("No task blocked at a barrier or message.")
    made = pooled_ratios(rows)
    known = {look.label: look.colour for look in policies_of(connection, found) if look.policy != GANG}
    chart = arms(made, known, "workload", "Blocks for each barrier or message (log scale)", columns=1)
    return titled(chart, made)


def _rows(connection: duckdb.DuckDBPyConnection, what: str, parts: int) -> list[Row]:
    """Return what was done by so many equal parts of the runs of chapter 6."""
    return rows_of(connection, "concurrent_gang_by_time", what=what, workloads=WORKLOADS, policies=None, parts=parts)


def _by_time(connection: duckdb.DuckDBPyConnection, what: str, numbers: dict[str, str], title: str, unit: float) -> Any:
    """Draw what was done by the tenths of the runs, a line per scheduler and a panel per kind of jobs."""
    found = _rows(connection, what, parts=10)
    rows = pooled([
        {"panel": f"{row['workload_label']} (Figure {numbers[row['workload']]})", "series": row["policy_label"],
         "hours": row["end_s"] / 3600, "unit": row["unit"], "value": row["value"] / unit}
        for row in found
    ])  # fmt: skip
    known = {look.label: look.colour for look in policies_of(connection, found)}
    x = alt.X("hours:Q", title="Time (h)", axis=alt.Axis(tickCount=6), scale=alt.Scale(zero=True))
    chart = series_lines(rows, x, title, [("hours", "Hours", ".2~f")], known, zero=True)
    return titled(chart, rows)
