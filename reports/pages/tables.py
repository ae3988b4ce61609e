"""Tables of the report's pages, read from the store and written in the units people read."""

import json
from typing import Any

import duckdb

from reports.draw.charts import Row, fetch, policies_of, reference_of, show
from reports.draw.theme import SPARE_COLOURS, PolicyLook
from reports.draw.vocabulary import measured, places_of
from reports.measure.catalogue import metric
from reports.measure.comparable import cut_runs, spans_differ, stated_spans
from reports.pages.labels import workload_labels
from scheduler_core.declarations.families import family
from scheduler_core.declarations.words import capitalised


def studies(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the studies in the configuration's order, with how many workloads, policies and runs each shows."""
    return fetch(
        connection,
        """
        SELECT study, title, question, count(DISTINCT c.workload) AS workloads, count(DISTINCT c.policy) AS policies,
            count(DISTINCT (c.workload, c.policy)) AS cells
        FROM studies LEFT JOIN cells AS c USING (study) GROUP BY study, title, question, studies.position
        ORDER BY studies.position, study""",
    )


def policy_tables(connection: duckdb.DuckDBPyConnection, study: str) -> list[Row]:
    """Return a table per workload of a study: policies by the leading metrics, each compared with the reference policy.

    A table has ``label``, ``base`` (a log as it is or the heaviest load), ``metrics`` and ``rows``. A row has the policy's label
    and colour and, for each metric, a cell of :func:`cell_of`.
    """
    show(connection, study)
    leading, compared = leading_of(connection), reference_of(connection)
    reference = compared[0] if compared else ""
    found = fetch(
        connection,
        """
        WITH mean AS (
            SELECT workload, policy, metric, avg(value) AS value FROM run_values
            WHERE scope = 'all' AND list_contains($metrics, metric) GROUP BY ALL
            UNION ALL SELECT workload, policy, $unfinished, avg(unfinished) FROM runs
            WHERE list_contains($metrics, $unfinished) GROUP BY ALL)
        SELECT s.workload, workload_label, is_base, s.policy, policy_label, m.metric,
            coalesce(i.value, m.value) AS value, low, high,
            difference, difference_low, difference_high, ratio, ratio_low, ratio_high, c.units
        FROM shown AS s JOIN mean AS m USING (workload, policy)
            LEFT JOIN intervals AS i ON i.workload = s.workload AND i.policy = s.policy AND i.metric = m.metric
                AND i.scope = 'all'
            LEFT JOIN comparisons AS c ON c.workload = s.workload AND c.policy = s.policy AND c.metric = m.metric
                AND c.scope = 'all' AND c.versus_workload = s.workload AND c.versus_policy = $reference
        ORDER BY NOT is_base, position""",
        metrics=list(leading),
        unfinished=NOT_COMPLETED,
        reference=reference,
    )
    cut, stated = cut_runs(connection), stated_spans(connection)
    for row in found:
        sides = (row["workload"], row["policy"]), (row["workload"], reference)
        apart = metric(row["metric"]).of_ended_jobs and any(side in cut for side in sides)
        row["apart"] = apart or spans_differ(row["metric"], *sides, stated)
    names, titles = list(dict.fromkeys(row["workload"] for row in found)), wait_titles(connection)
    return [
        policy_table(own, policies_of(connection, own), reference, leading, titles)
        for own in ([row for row in found if row["workload"] == name] for name in names)
    ]


def leading_of(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the leading metrics of the shown study's tables.

    They are those of the study's family. A family whose waits count interruptions goes before one whose jobs are never
    interrupted, because a study of slots or slices includes space sharing only for comparison. If runs ended before their jobs,
    the jobs completed and not completed are among the metrics.
    """
    found = connection.execute(
        """
        SELECT leading_metrics FROM shown JOIN families USING (family)
        ORDER BY wait = 'to_first_start', shown.position LIMIT 1"""
    ).fetchone()
    names = tuple(found[0]) if found else ()
    if connection.execute(UNFINISHED).fetchone() is None:
        return names
    return (*names, *(name for name in ("jobs_completed", NOT_COMPLETED) if name not in names))


NOT_COMPLETED = "unfinished_jobs"
"""The name of ``runs.unfinished`` in tables. It stands beside the jobs completed, which are compared."""
UNFINISHED = "SELECT 1 FROM shown JOIN runs USING (workload, policy) WHERE unfinished > 0 LIMIT 1"
"""Whether a run of the shown study ended before its jobs."""


def wait_titles(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the titles of waits in tables of the shown study, unless they are the time to the first start."""
    found = connection.execute(
        "SELECT 1 FROM shown JOIN families USING (family) WHERE wait <> 'to_first_start' LIMIT 1"
    )
    if found.fetchone() is None:
        return {}
    known = metric("mean_wait")
    return {"mean_wait": f"{known.label}, response less run time ({known.unit})"}


def policy_table(
    found: list[Row], known: list[PolicyLook], reference_policy: str, leading: tuple[str, ...], titles: dict[str, str]
) -> Row:
    """Return the table of one workload; ``titles`` replace the titles of some metrics."""
    reference = {row["metric"]: row["value"] for row in found if row["policy"] == reference_policy}
    names = [name for name in leading if any(row["metric"] == name for row in found)]
    lines: list[Row] = []
    for look in known:
        own = {row["metric"]: row for row in found if row["policy"] == look.policy}
        cells = [cell_of(own[name], reference.get(name), reference_policy) if name in own else None for name in names]
        colour = look.colour if len(known) <= len(SPARE_COLOURS) else ""
        lines.append({"label": look.label, "colour": colour, "policy": look.policy, "cells": cells})
    heads = [
        {
            "title": titles.get(name, metric(name).title),
            "against": by_ratio(name),
            "compared": any(line["cells"][place] and line["cells"][place]["against"] for line in lines),
        }
        for place, name in enumerate(names)
    ]
    first = found[0]
    return {"label": first["workload_label"], "workload": first["workload"], "base": first["is_base"], "metrics": heads,
            "rows": lines}  # fmt: skip


def by_ratio(name: str) -> str:
    """Return how policies are compared by a metric: shares by difference, all else by ratio."""
    return "difference" if metric(name).unit == "%" else "ratio"


def cell_of(row: Row, reference: float | None, reference_policy: str) -> Row:
    """Return the values of a policy and a metric in words; without an interval, the comparison uses the values.

    A row that is ``apart`` has no such comparison: its values cover other jobs, or another time. ``against`` is the ratio or
    difference to the reference policy; ``sure`` says whether its interval excludes no effect.
    """
    name, divisor = row["metric"], metric(row["metric"]).divisor
    own = [in_unit(row[key], divisor) for key in ("value", "low", "high")]
    value, spread = measured(own[0], own[1], own[2])
    kind = by_ratio(name)
    ends: list[float | None] = [row[key] for key in (kind, f"{kind}_low", f"{kind}_high")]
    if name == NOT_COMPLETED:
        ends = [None, None, None]
    elif ends[0] is None and reference is not None and row["policy"] != reference_policy and not row["apart"]:
        ends[0] = row["value"] - reference if kind == "difference" else row["value"] / reference if reference else None
    if kind == "difference":
        ends = [in_unit(end, divisor) for end in ends]
    no_effect = 1.0 if kind == "ratio" else 0.0
    # a difference has at most one decimal more than its operands
    most = min(places_of(*ends), places_of(*own) + 1 if kind == "difference" else 3)
    against, against_spread = measured(ends[0], ends[1], ends[2], most) if ends[0] is not None else ("", "–")
    rises = kind == "difference" and round(ends[0] or 0, most) > 0
    sure = ends[1] is not None and ends[2] is not None and not ends[1] <= no_effect <= ends[2]
    less = ends[0] is not None and ends[0] < no_effect
    return {
        "value": value,
        "interval": spread,
        "against": f"+{against}" if rises else against,
        "against_interval": against_spread,
        "sure": sure,
        "better": less == (metric(name).better == "low"),
    }


def in_unit(value: float | None, divisor: float) -> float | None:
    """Return a stored value in the unit for readers."""
    return None if value is None else value / divisor


def unchecked(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return, for each family with runs, what the checker does not prove of its schedules: ``label`` and ``texts``."""
    found = fetch(
        connection,
        "SELECT DISTINCT families.label, family FROM runs JOIN policies USING (policy) JOIN families USING (family) "
        "ORDER BY families.label",
    )
    return [{"label": row["label"], "texts": family(row["family"]).not_checked(code="`")} for row in found]


def workload_pages(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the pages of workloads, one per log or model, and one per missing log.

    ``drawn`` is the workload whose jobs the figures show.
    """
    labels = workload_labels(connection)
    members = fetch(
        connection,
        """
        SELECT if(kind = 'log', workload, source) AS page, workload, processors, replications, jobs, offered_load,
            (SELECT list((c.processors, speed) ORDER BY cluster) FROM clusters AS c WHERE c.workload = workloads.workload)
                AS clusters
        FROM workloads ANTI JOIN stand_ins USING (workload) WHERE variant_of IS NULL AND kind <> 'log'
        ORDER BY coalesce(target_load, 0), (SELECT min((studies.position, cells.position)) FROM cells JOIN studies USING (study)
            WHERE cells.workload = workloads.workload), workload""",
    )
    found = fetch(
        connection,
        """
        SELECT if(kind = 'log' AND NOT missing, workload, source) AS page, any_value(kind) AS kind, any_value(source) AS source,
            arg_max(workload, coalesce(target_load, 0)) AS drawn, arg_max(label, coalesce(target_load, 0)) AS drawn_label,
            count(*) AS members, sum(jobs)::BIGINT AS jobs, any_value(machine) AS machine,
            min(processors) AS least_processors,
            max(processors) AS processors, min(offered_load) AS least_load, max(offered_load) AS most_load,
            any_value(replications) AS replications, bool_and(missing) AS missing, any_value(provenance) AS provenance
        FROM workloads ANTI JOIN stand_ins USING (workload) WHERE variant_of IS NULL GROUP BY page ORDER BY kind, page""",
    )
    for page in found:
        page["label"] = labels[page["drawn"]] if page["kind"] == "log" else capitalised(page["machine"] or page["page"])
        page["shown"] = [{**row, "label": labels[row["workload"]]} for row in members if row["page"] == page["page"]]
        page["provenance"] = json.loads(page["provenance"] or "[]")
        page["variants"] = fetch(
            connection,
            "SELECT label, variant FROM workloads WHERE variant_of = $workload ORDER BY (SELECT min(position) FROM cells "
            "WHERE cells.workload = workloads.workload)",
            workload=page["drawn"],
        )
    return found


def accounting(connection: duckdb.DuckDBPyConnection, workload: str) -> list[Row]:
    """Return what became of the lines of a log, with the sum at the end."""
    order = "list_position(['comment', 'kept', 'repaired', 'rejected'], fate), rule"
    sql = f"SELECT fate, rule, lines FROM accounting WHERE workload = $workload ORDER BY {order}"
    found = fetch(connection, sql, workload=workload)
    if found:
        found.append({"fate": "read", "rule": "", "lines": sum(row["lines"] for row in found)})
    return found


def flat(value: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Return nested provenance as rows of a dotted key and a text."""
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in flat(inner, f"{prefix}.{key}" if prefix else str(key))]
    if isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        return [row for place, inner in enumerate(value) for row in flat(inner, f"{prefix}[{place}]")]
    if isinstance(value, list):
        return [(prefix, ", ".join(map(str, value)))]
    return [(prefix, "" if value is None else str(value))]
