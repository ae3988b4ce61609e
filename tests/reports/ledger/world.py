"""Small worlds in which a claim is true, or false: a few rows of the store, written by hand from the claim's sentence.

``WORLDS`` of a study's ``worlds.py`` has two functions for each claim on a measure of the study's own: the first puts rows into
a :class:`World` in which the claim is true, the second into one in which it is false. Only what the measure reads is needed. Rows
come from the sentence, never from ``expect``, so that a flipped sign or a wrong column fails a test. For example::

    def long_narrow(share):
        return lambda world: world.metric("seed-71", "pect", "long_narrow_share", [share, 1.1 * share, 0.9 * share])

    WORLDS = {"w3-long-narrow-share": (long_narrow(0.5), long_narrow(0.1))}

:mod:`tests.reports.ledger.wiring` makes the worlds of claims on shared measures. Workloads and policies appear in their tables
when they are first mentioned, with what the study says of them; a world may add its own by :meth:`World.workload` and
:meth:`World.policy`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import duckdb

from reports.ledger.claims import Bench
from reports.ledger.measures import restrict
from reports.ledger.verdicts import Verdict
from reports.measure.printed import COLUMNS
from reports.measure.readings import measured_tables
from reports.measure.store import make_tables
from reports.measure.workloads import target_load
from workflow.plan import describe_study
from workflow.studies import Study

PRINTED = (
    *COLUMNS[:6], "value", "printed", "printed_digits", "printed_unit", "printed_scale", "printed_draws",
)  # fmt: skip
"""The columns of a row of ``printed_values``."""
Quoted = dict[str, Any]

SPREADS = ((0.999, 1.0, 1.001), (1.0, 0.9995, 1.0005), (1.0005, 1.0, 0.9995))


@dataclass
class World:
    """Tables of an empty store, and the study whose claims are judged in it.

    Rows are put into the store together, when it is asked for: one by one they would take a millisecond each. A parameter per
    column is planned in a fraction of the time of one per value.
    """

    store: duckdb.DuckDBPyConnection
    study: dict[str, Any] = field(default_factory=dict)
    waiting: dict[tuple[str, tuple[str, ...]], list[list[Any]]] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The store with all rows in it."""
        for (table, names), rows in self.waiting.items():
            columns = ", ".join(f'"{name}"' for name in names)
            marks = ", ".join(["unnest(?)"] * len(names))
            values = [list(column) for column in zip(*rows, strict=True)]
            self.store.execute(f"INSERT INTO {table} ({columns}) SELECT {marks}", values)
        self.filled |= {table for table, _ in self.waiting}
        self.waiting.clear()
        return self.store

    def row(self, table: str, **columns: Any) -> None:
        """Add a row to any table; columns that are not given are null."""
        if columns.get("policy"):
            self.policy(columns["policy"])
        if columns.get("workload"):
            self.workload(columns["workload"])
        self.insert(table, columns)

    def rows(self, table: str, names: str, *rows: Sequence[Any], **shared: Any) -> None:
        """Add rows: ``names`` are their columns, as one text; ``shared`` are columns that all have the same."""
        for values in rows:
            self.row(table, **shared, **dict(zip(names.replace(",", " ").split(), values, strict=True)))

    def insert(self, table: str, columns: dict[str, Any]) -> None:
        """Insert one row as it is."""
        self.waiting.setdefault((table, tuple(columns)), []).append(list(columns.values()))

    def known(self, table: str, name: str) -> bool:
        """Say whether a name is already in its table; it is from now on."""
        known = (table, name) in self.seen
        self.seen.add((table, name))
        return known

    def workload(self, name: str, **columns: Any) -> None:
        """Add a workload, if it is not there; ``columns`` go before what the study says of it."""
        if self.known("workloads", name):
            return
        entry = self.study.get("workloads", {}).get(name, {})
        log = "log" in entry
        kind = "log" if log else "model"
        own = {
            "label": entry.get("label", name), "kind": kind, "source": entry.get(kind),
            "replications": entry.get("replications", 1), "processors": entry.get("processors"),
            "target_load": target_load(entry),
            "variant_of": entry.get("variant_of"), "variant": entry.get("variant"), "missing": False,
        }  # fmt: skip
        self.insert("workloads", {"workload": name, **own, **columns})

    def policy(self, name: str, **columns: Any) -> None:
        """Add a policy, if it is not there; ``columns`` go before what the study says of it, ``parameters`` is a mapping."""
        if self.known("policies", name):
            return
        entry = self.study.get("policies", {}).get(name, {})
        own = {key: entry.get(key) for key in ("name", "family", "source")}
        parameters = columns.pop("parameters", entry.get("parameters", {}))
        described = {"label": entry.get("label", name), **own, "parameters": json.dumps(parameters)}
        place = list(self.study.get("policies", {})).index(name) if entry else 0
        self.insert("policies", {"policy": name, "position": place, **described, **columns})

    def metric(
        self, workload: str, policy: str, metric: str, value: float | Sequence[float], scope: str = "all",
        replication: int = 0,
    ) -> None:  # fmt: skip
        """Add the value of a metric of one run, or a value of each replication from this one on."""
        self.measure(workload, policy, metric, value, scope, unit=replication, unit_kind="replication")

    def unit_metric(
        self, workload: str, policy: str, metric: str, value: float | Sequence[float], unit: int = 0, scope: str = "all"
    ) -> None:
        """Add the value of a metric of one independent unit, or a value of each unit from this one on."""
        log = "log" in self.study.get("workloads", {}).get(workload, {})
        self.measure(workload, policy, metric, value, scope, unit=unit, unit_kind="batch" if log else "replication")

    def measure(
        self, workload: str, policy: str, metric: str, value: float | Sequence[float], scope: str, *,
        unit: int, unit_kind: str,
    ) -> None:  # fmt: skip
        """Add measurements of consecutive units."""
        for place, one in enumerate(value if isinstance(value, Sequence) else [value]):
            self.row(
                "measurements", workload=workload, policy=policy, unit_kind=unit_kind, unit=unit + place, metric=metric,
                scope=scope, value=one,
            )  # fmt: skip

    def printed(
        self, workload: str, policy: str, metric: str, value: float, scope: str = "all", **columns: Any
    ) -> None:
        """Add a number that the source prints."""
        self.row("printed_values", workload=workload, policy=policy, metric=metric, scope=scope, value=value, **columns)

    def quote(self, change: Callable[[Quoted], Quoted | None] = dict, **of: str) -> list[Quoted]:
        """Add rows of ``printed.csv`` with these columns, changed or left out, and return them."""
        quoted = [dict(zip(PRINTED, row, strict=True)) for row in self.study["printed_values"]]
        found = [changed for row in quoted if row.items() >= of.items() and (changed := change(row))]
        for row in found:
            self.row("printed_values", **row)
        return found


Scene = Callable[[World], None]
P = ParamSpec("P")


def scene(fill: Callable[Concatenate[World, P], None]) -> Callable[P, Scene]:
    """Turn a function that fills a world into one that returns a scene, given all but the world."""

    @wraps(fill)
    def make(*given: P.args, **named: P.kwargs) -> Scene:
        return lambda world: fill(world, *given, **named)

    return make


@scene
def together(world: World, *scenes: Scene) -> None:
    """Make one world of several."""
    for one in scenes:
        one(world)


def drawn(mean: float, place: int = 1) -> list[float]:
    """Return three units with this mean; those of neighbours (``place``) have other spreads, so that their ratio has one."""
    return [mean * part for part in SPREADS[place % len(SPREADS)]]


class Stage:
    """An empty store, in which worlds are made one after the other and leave nothing."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        make_tables(self.connection)
        restrict(self.connection)
        self.tables = measured_tables(self.connection)

    @contextmanager
    def empty(self, study: dict[str, Any] | None = None) -> Iterator[World]:
        """Yield a world that is gone afterwards."""
        self.connection.execute("BEGIN")
        try:
            yield World(self.connection, study or {})
        finally:
            self.connection.execute("ROLLBACK")

    def judge(self, study: dict[str, Any], claim: str, scene: Scene) -> Verdict:
        """Judge a claim of a study in a world, under the headline reading."""
        (entry,) = (entry for entry in study["claims"] if entry["id"] == claim)
        with self.empty(study) as world:
            scene(world)
            return Bench(world.connection, study).judge(entry)


def described(study: Study) -> dict[str, Any]:
    """Describe a study as the ledger reads it."""
    return describe_study(study)
