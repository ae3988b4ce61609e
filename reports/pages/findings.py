"""Findings: which policy is best on which workload, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.draw.charts import NoData, rows, show
from reports.draw.vocabulary import interval, metric, shown, signed
from reports.measure.stats import half_width

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Finding:
    """The best policy of a workload by one metric, and the policies that its paired intervals cannot tell from it.

    ``runner_up`` is the second best; ``distinct`` whether the paired interval between the two excludes zero, None when
    there is no such interval.
    """

    workload: str
    metric: str
    best: str
    value: str
    interval: str
    runner_up: str
    difference: str
    difference_interval: str
    distinct: bool | None
    tied: list[str]
    units: int

    @property
    def sentence(self) -> str:
        """The finding in words and numbers."""
        what = metric(self.metric)
        lead = f"{what.label.lower()} {self.value} {what.unit}".strip()
        known = f", 95 % interval {self.interval}" if self.interval != "–" else ""
        return f"{self.workload}: {self.best} ({lead}{known}). {self.comparison}"

    @property
    def comparison(self) -> str:
        """How sure the order of the two best is."""
        if not self.runner_up:
            return "It is the only policy here."
        gap = f"{self.difference.removeprefix('+')} {metric(self.metric).unit}".strip()
        if self.distinct is None:
            return f"{self.runner_up} is next by {gap}; a single run gives no interval for the difference."
        spread = f"(paired 95 % interval {self.difference_interval})"
        if self.distinct:
            unsure = f" Further behind, {joined(self.tied)} cannot be told from it." if self.tied else ""
            return f"{self.runner_up} is next by {gap} {spread}: the two differ.{unsure}"
        return f"The data do not tell it from {joined(self.tied)}; {self.runner_up} is next by {gap} {spread}."


def joined(words: list[str]) -> str:
    """Join words as a sentence does."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def findings(connection: duckdb.DuckDBPyConnection, study: str, name: str) -> list[Finding]:
    """Find the best policy of each base workload of a study by the metric ``name``; empty when there is none."""
    show(connection, study)
    sql = """
        WITH mean AS (
            SELECT workload, policy, avg(value) AS value FROM metrics
            WHERE scope = 'all' AND metric = $metric GROUP BY ALL)
        SELECT b.workload, workload_label, b.policy, policy_label, coalesce(i.value, mean.value) AS value, low, high,
            p.position AS place
        FROM base AS b JOIN policies AS p USING (policy) LEFT JOIN mean USING (workload, policy)
            LEFT JOIN intervals AS i ON i.workload = b.workload AND i.policy = b.policy AND i.metric = $metric
        WHERE coalesce(i.value, mean.value) IS NOT NULL ORDER BY b.position"""
    try:
        found = rows(connection, sql, metric=name)
    except NoData:
        return []
    workloads = dict.fromkeys(row["workload"] for row in found)
    return [finding(connection, name, [row for row in found if row["workload"] == one]) for one in workloads]


def finding(connection: duckdb.DuckDBPyConnection, name: str, contenders: list[dict[str, Any]]) -> Finding:
    """Rank the policies of one workload and compare the best with each other in pairs."""
    sign = 1 if metric(name).better == "low" else -1
    ranked = sorted(contenders, key=lambda row: (sign * row["value"], row["place"]))
    best, others = ranked[0], ranked[1:]
    pairs = {row["policy"]: paired(connection, name, row, best) for row in others}
    runner = others[0] if others else None
    pair = pairs[runner["policy"]] if runner else None
    tied = [row["policy_label"] for row in others if (p := pairs[row["policy"]]) and p["low"] <= 0 <= p["high"]]
    gap = runner["value"] - best["value"] if runner else None
    return Finding(
        workload=best["workload_label"],
        metric=name,
        best=best["policy_label"],
        value=shown(name, best["value"]),
        interval=interval(shown(name, best["low"]), shown(name, best["high"])),
        runner_up=runner["policy_label"] if runner else "",
        difference=signed(name, pair["difference"] if pair else gap),
        difference_interval=interval(signed(name, pair["low"]), signed(name, pair["high"])) if pair else "–",
        distinct=None if pair is None else not pair["low"] <= 0 <= pair["high"],
        tied=tied,
        units=pair["units"] if pair else 0,
    )


def paired(
    connection: duckdb.DuckDBPyConnection, name: str, one: dict[str, Any], other: dict[str, Any]
) -> dict[str, Any] | None:
    """Compare two policies on the same jobs: ``difference`` (one - other), its interval ``low`` to ``high``, ``units``.

    The store's comparison is taken when it has the pair, in either direction; otherwise the paired t interval over the
    same independent units. None when there are fewer than two units.
    """
    found = connection.execute(
        """
        SELECT difference, difference_low, difference_high, units FROM comparisons
        WHERE workload = $w AND versus_workload = $w AND metric = $m AND policy = $a AND versus_policy = $b
            AND difference_low IS NOT NULL
        UNION ALL
        SELECT -difference, -difference_high, -difference_low, units FROM comparisons
        WHERE workload = $w AND versus_workload = $w AND metric = $m AND policy = $b AND versus_policy = $a
            AND difference_low IS NOT NULL""",
        {"w": one["workload"], "m": name, "a": one["policy"], "b": other["policy"]},
    ).fetchone()
    if found is None:
        found = paired_units(connection, name, one, other)
    return None if found is None else dict(zip(("difference", "low", "high", "units"), found, strict=True))


def paired_units(
    connection: duckdb.DuckDBPyConnection, name: str, one: dict[str, Any], other: dict[str, Any]
) -> tuple[float, float, float, int] | None:
    """Return the paired t interval of the difference over the units both policies have."""
    row = connection.execute(
        """
        SELECT avg(a.value - b.value), stddev_samp(a.value - b.value), count(*)
        FROM unit_metrics AS a JOIN unit_metrics AS b USING (workload, unit, metric)
        WHERE workload = ? AND metric = ? AND a.policy = ? AND b.policy = ?""",
        [one["workload"], name, one["policy"], other["policy"]],
    ).fetchone()
    if row is None or row[2] < 2:
        return None
    half = half_width(row[1], row[2])
    return row[0], row[0] - half, row[0] + half, row[2]
