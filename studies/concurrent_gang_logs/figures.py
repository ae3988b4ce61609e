"""Figures of the study of Concurrent Gang on other jobs: another model and two real logs, over the load."""

from typing import Any

import duckdb

from reports.draw.charts import NoData, Row, policies_of, queries_of, titled
from reports.figures.forms.arms import arms
from reports.figures.forms.pooled import pooled, pooled_ratios

rows_of = queries_of(__file__)

GANG = "log-gang"
GAINS = {"jobs_completed": "Jobs completed", "utilisation_spin_idle": "Utilisation"}
FARTHEST = 2
"""Times that a bound may be beyond all values and still be drawn: intervals of four parts of a log are wide, ratios near 1."""


def gains_by_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """What each system changes against gang scheduling, by load.

    Jobs completed and utilisation (spinning does not count) until the end of the run ({hours} h), over those of gang
    scheduling with the same jobs, with 95 % intervals over {units} draws of the model, or parts of a log. A hollow
    mark may be chance, because its interval contains 1, or has no bounds. Each source has beside it the load of all
    its jobs and, in brackets, the mean load of the jobs submitted until the end of the run.
    """
    found = rows_of(connection, "concurrent_gang_logs", metrics=list(GAINS))
    gang = {(row["unit"], row["metric"]): row["value"] for row in found if row["policy"] == GANG}
    came = _came(found)
    rows = [
        {"panel": GAINS[row["metric"]], "jobs": came[row["source"], row["load"]], "kind": row["policy_label"],
         "load": row["load"], "unit": row["unit"], "value": row["value"], "versus": gang[row["unit"], row["metric"]]}
        for row in found if row["policy"] != GANG
    ]  # fmt: skip
    if not rows:
        raise NoData("Nothing but gang scheduling was run.")
    made = pooled_ratios(rows)
    known = {look.label: look.colour for look in policies_of(connection, found) if look.policy != GANG}
    title = "Over gang scheduling (log scale)"
    chart = arms(made, known, "jobs", title, about_one=True, columns=2, farthest=FARTHEST)
    hours = connection.execute("SELECT max(end_s) / 3600 FROM activity JOIN shown USING (workload, policy)").fetchone()
    assert hours is not None
    return titled(chart, made, hours=f"{hours[0]:.1f}")


def utilisation_by_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """Utilisation by load.

    Processor time in which a task runs and does not spin, with 95 % intervals over {units} draws of the model, or parts of a log.
    Each source has beside it the load of all its jobs and, in brackets, the mean load of the jobs submitted until the end of the
    run. Above 100 % more work comes than the machine can do, so a system leaves unused only what it cannot use. The parts of a
    log differ much, so intervals are wide. All systems meet the same jobs, so the figure of gains tells more.
    """
    found = rows_of(connection, "concurrent_gang_logs", metrics=["utilisation_spin_idle"])
    came = _came(found)
    rows = pooled([
        {"panel": "Utilisation", "jobs": came[row["source"], row["load"]], "kind": row["policy_label"], "load": row["load"],
         "unit": row["unit"], "value": 100 * row["value"]}
        for row in found
    ])  # fmt: skip
    for row in rows:
        row["low"], row["high"] = max(row["low"], 0), min(row["high"], 100)
    known = {look.label: look.colour for look in policies_of(connection, found)}
    chart = arms(rows, known, "jobs", "Utilisation (%)", columns=1, share=True)
    return titled(chart, rows)


def _came(found: list[Row]) -> dict[tuple[str, float], str]:
    """Name each source at each load, with the mean load of what was submitted until the end of its runs."""
    parts: dict[tuple[str, float], list[float]] = {}
    for row in found:
        submitted = parts.setdefault((row["source"], row["load"]), [])
        submitted += [row["came"]] if row["came"] is not None else []
    return {
        (source, load): f"{source}, {load:.0f} %" + (f" ({sum(came) / len(came):.0f} %)" if came else "")
        for (source, load), came in parts.items()
    }
