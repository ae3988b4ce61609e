"""Figures of the study of Concurrent Gang on other jobs: another model and two real logs, over the load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from reports.draw.charts import NoData, Row, policies_of, study_rows, titled
from reports.figures.forms.policies import span
from reports.figures.forms.pooled import pooled, pooled_ratios
from reports.figures.forms.series_lines import series_lines

if TYPE_CHECKING:
    import duckdb

STUDY = "concurrent_gang_logs"
GANG = "log-gang"
GAINS = {"jobs_completed": "jobs completed", "utilisation_spin_idle": "utilisation"}


def gains_by_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """What each system changes against gang scheduling, by load.

    Jobs completed and utilisation (spinning does not count) until the end of the run ({hours} h), over those of gang scheduling
    with the same jobs. Bands are 95 % intervals over {units} draws of the model, or parts of a log, where they have bounds. The
    load is that of all jobs; what was submitted until the end came to {came} % of it in the mean.
    """
    found = study_rows(connection, STUDY, "concurrent_gang_logs", metrics=list(GAINS))
    gang = {(row["unit"], row["metric"]): row["value"] for row in found if row["policy"] == GANG}
    rows = [
        {"panel": f"{row['source']}: {GAINS[row['metric']]}", "series": row["policy_label"], "load": row["load"],
         "unit": row["unit"], "value": row["value"], "versus": gang[row["unit"], row["metric"]]}
        for row in found if row["policy"] != GANG
    ]  # fmt: skip
    if not rows:
        raise NoData("Nothing but gang scheduling was run.")
    made = pooled_ratios(rows)
    known = {look.label: look.colour for look in policies_of(connection, found) if look.policy != GANG}
    chart = series_lines(made, _loads(), "Over gang scheduling", [("load", "Load (%)", ".0f")], known, columns=3)
    hours = connection.execute("SELECT max(end_s) / 3600 FROM activity JOIN shown USING (workload, policy)").fetchone()
    assert hours is not None
    return titled(chart, made, units=span(made, "units"), hours=f"{hours[0]:.1f}", came=_came(found))


def utilisation_by_load(connection: duckdb.DuckDBPyConnection) -> Any:
    """Utilisation by load.

    Processor time in which a task runs and does not spin. Bands are 95 % intervals over {units} draws of the model, or parts of a
    log. Where more comes than the machine can do (a load above 100 %), what is left unused is what a system cannot use.
    """
    found = study_rows(connection, STUDY, "concurrent_gang_logs", metrics=["utilisation_spin_idle"])
    rows = pooled([
        {"panel": row["source"], "series": row["policy_label"], "load": row["load"], "unit": row["unit"],
         "value": 100 * row["value"]}
        for row in found
    ])  # fmt: skip
    for row in rows:
        row["low"], row["high"] = max(row["low"], 0), min(row["high"], 100)
    known = {look.label: look.colour for look in policies_of(connection, found)}
    chart = series_lines(rows, _loads(), "Utilisation (%)", [("load", "Load (%)", ".0f")], known, columns=3, zero=True)
    return titled(chart, rows, units=span(rows, "units"))


def _loads() -> alt.X:
    """Return the axis of loads, which double from one to the next."""
    return alt.X("load:Q", title="Offered load (%, log scale)", scale=alt.Scale(type="log", base=2, nice=False, padding=8),
                 axis=alt.Axis(values=[50, 100, 200]))  # fmt: skip


def _came(found: list[Row]) -> str:
    """Say which part of the load was submitted while runs lasted, in the mean of all."""
    parts = [100 * row["came"] / row["load"] for row in found if row["came"] is not None]
    return f"{sum(parts) / len(parts):.0f}"
