"""What a general figure needs of a study before it can be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

    GeneralFigure = Callable[[duckdb.DuckDBPyConnection, str], Any]

METRICS = """
    SELECT 1 FROM base JOIN run_values USING (workload, policy)
    WHERE list_contains($metrics, metric) AND ($scope = 'all' AND scope = 'all' OR $scope <> 'all' AND contains(scope, $scope))
    GROUP BY workload HAVING count(DISTINCT policy) >= $policies LIMIT 1"""
LOADS = """
    SELECT 1 FROM shown WHERE variant_of IS NULL AND target_load IS NOT NULL
    GROUP BY source, processors
    HAVING count(DISTINCT target_load) >= $loads AND count(DISTINCT workload) = count(DISTINCT target_load) LIMIT 1"""
VARIANTS = "SELECT 1 FROM shown WHERE variant_of IS NOT NULL LIMIT 1"
SERIES = "SELECT 1 FROM base JOIN series USING (workload, policy) WHERE {column} IS NOT NULL LIMIT 1"
USERS = "SELECT 1 FROM base JOIN users USING (workload) LIMIT 1"
FEW = "SELECT 1 FROM base HAVING count(DISTINCT policy) <= $most"
LEGIBLE = 12
"""The most policies that colours and shapes of a legend can distinguish."""

CURVE = """
    SELECT 1 FROM studies JOIN claim_readings AS c ON c.study = studies.study AND c.claim = studies.page ->> 'curve'
    WHERE studies.study = (SELECT any_value(study) FROM shown) AND c.value IS NOT NULL HAVING count(*) > 1"""
TRACED = """
    SELECT 1 FROM base JOIN policies USING (policy)
    WHERE (policies.parameters ->> 'trace_s')::DOUBLE > 0 LIMIT 1"""
FAMILY = "SELECT 1 FROM base WHERE family = $family LIMIT 1"


@dataclass(frozen=True)
class Needs:
    """The requirements of a figure on the workloads that a study shows (logs, and models at their heaviest load)."""

    metrics: tuple[str, ...] = ()
    """Metrics, at least one of which must exist."""
    scope: str = "all"
    """``all``, or a part of the metric's scopes, as of classes of jobs."""
    policies: int = 1
    """Number of policies with such a metric on one workload."""
    loads: int = 0
    """Number of offered loads of one model, or log, on a machine of one size, with one workload for each load."""
    variants: bool = False
    """Whether a workload varies another."""
    series: str = ""
    """Column of the series over time."""
    users: bool = False
    """Whether a log names its users."""
    family: str = ""
    """The family of one of the policies."""
    traced: bool = False
    """Whether a run was traced, which its policy's parameter ``trace_s`` asks for."""
    legend: bool = False
    """Whether a legend must tell the policies apart, which it can for at most :data:`LEGIBLE`."""
    curve: bool = False
    """Whether the study names a claim whose effect is known under several readings."""
    always: bool = False
    """Whether the figure is drawn whenever its needs are met, even if the study lists its figures without it."""

    def met(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """Return whether the study whose tables ``shown`` and ``base`` are open meets all requirements."""
        measured = {"metrics": list(self.metrics), "scope": self.scope, "policies": self.policies}
        asked: list[tuple[Any, str, dict[str, Any]]] = [
            (self.metrics, METRICS, measured),
            (self.loads, LOADS, {"loads": self.loads}),
            (self.variants, VARIANTS, {}),
            (self.series, SERIES.format(column=self.series), {}),
            (self.users, USERS, {}),
            (self.family, FAMILY, {"family": self.family}),
            (self.traced, TRACED, {}),
            (self.legend, FEW, {"most": LEGIBLE}),
            (self.curve, CURVE, {}),
        ]
        return all(connection.execute(sql, values).fetchone() for needed, sql, values in asked if needed)


def needs(**what: Any) -> Callable[[GeneralFigure], GeneralFigure]:
    """Declare the requirements of a general figure; see :class:`Needs`."""
    declared = Needs(**what)

    def marked(figure: GeneralFigure) -> GeneralFigure:
        figure.needs = declared  # type: ignore[attr-defined]
        return figure

    return marked
