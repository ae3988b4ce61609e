"""Apply the rules of its family to a schedule."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from scheduler_core.checker.certificate import Certificate, Finding
from scheduler_core.checker.evidence import Evidence, Rule, gather
from scheduler_core.common.errors import ContractError, nearest
from scheduler_core.common.table_thread import in_table_thread
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import (
    ALLOCATIONS_COLUMNS,
    JOBS_COLUMNS,
    Schedule,
    Workload,
    check_columns,
    check_complete,
)
from scheduler_core.declarations.families import Family, part_of
from scheduler_core.declarations.policy import family_of, rebuild

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

EXAMPLES = 3
"""Violations of a rule that a certificate shows."""

FEW_JOBS = 20_000
"""Schedules of fewer jobs are checked in one thread: more would gain little, and the changes between them cost the most."""


def check(workload: Workload, schedule: Schedule) -> Certificate:
    """Return the certificate of a schedule: every rule of its family, applied to it.

    The policy is rebuilt from the name and parameters in the schedule's note, and states the facts that hold for it alone. The
    rules share no code with the engines.

    Raise :class:`ContractError` when a table of the family is missing or breaks its declaration (a missing column or value,
    another type), when the workload lacks a companion table that the policy needs, or when the policy belongs to another
    family. Raise :class:`ParameterError` when the note names an unknown policy, or lacks some of its parameters.
    """
    if workload.jobs.height < FEW_JOBS:
        return in_table_thread(lambda: certify(workload, schedule))
    return certify(workload, schedule)


def certify(workload: Workload, schedule: Schedule) -> Certificate:
    """Return the certificate of a schedule, in the thread of the caller."""
    check_tables(schedule)
    policy = rebuild(schedule.run.get("policy", {}))
    if family_of(type(policy)) != schedule.family.name:
        raise ContractError(
            f"the schedule is one of {schedule.family.name}, and its policy {policy.name} makes those of "
            f"{family_of(type(policy))}"
        )
    policy.require_companions(workload)
    rules = rules_of(schedule.family)
    evidence = gather(rules.EVIDENCE, workload, schedule, policy)
    return Certificate(
        schedule.family.name,
        apply_rules(rules_for(rules, schedule), evidence),
        schedule.allocations.height,
        schedule.digest,
        schedule.family.not_checked(),
    )


def rules_of(family: Family) -> ModuleType:
    """Return the checker's module for a family, with ``RULES`` by name and the ``EVIDENCE`` class they read.

    Raise :class:`ContractError` when the family has no folder in the checker.
    """
    rules = part_of("scheduler_core.checker", family.name, "rules")
    if rules is None:
        raise ContractError(f"family {family.name}: there is no module scheduler_core.checker.{family.name}.rules")
    return rules


def rules_for(rules: ModuleType, schedule: Schedule) -> dict[str, Rule]:
    """Return the rules of a schedule: its family's, and those of the optional tables that it has."""
    optional: dict[str, dict[str, Rule]] = getattr(rules, "RULES_OF_TABLES", {})
    return {
        **rules.RULES,
        **{name: rule for table in schedule.tables for name, rule in optional.get(table, {}).items()},
    }


def apply_rules(rules: Mapping[str, Rule], evidence: Evidence) -> tuple[Finding, ...]:
    """Return the finding of each rule on the evidence."""
    findings = []
    for name, rule in rules.items():
        checked, broken = rule(evidence)
        findings.append(Finding(name, checked, broken.height, tuple(describe_rows(broken))))
    return tuple(findings)


def check_tables(schedule: Schedule) -> None:
    """Raise :class:`ContractError` unless a schedule has every table of its family, complete, and no counter of another."""
    kind = schedule.family
    for name in schedule.run.get("counters", {}):
        if name not in kind.counters:
            raise ContractError(
                f"schedule of {kind.name}: there is no counter '{name}'; {nearest(name, kind.counters)}"
            )
    check_columns(schedule.jobs, JOBS_COLUMNS, "jobs table")
    check_columns(schedule.allocations, {**ALLOCATIONS_COLUMNS, **kind.allocation_columns}, "allocations table")
    check_complete(schedule.allocations.drop("processor_ids"), "allocations table")
    for name, table in kind.tables_among(schedule.tables).items():
        if name not in schedule.tables:
            found = ", ".join(schedule.tables) or "none"
            raise ContractError(f"schedule of {kind.name}: the table '{name}' is missing; found {found}")
        check_columns(schedule.tables[name], table.columns, f"{name} table")
        check_complete(schedule.tables[name].drop(table.optional), f"{name} table")


def describe_rows(rows: pl.DataFrame) -> Iterable[str]:
    """Describe the first rows that break a rule."""
    for row in rows.head(EXAMPLES).iter_rows(named=True):
        yield ", ".join(describe_value(name, value) for name, value in row.items() if value is not None)


def describe_value(name: str, value: object) -> str:
    """Return a value with its name; times are in seconds, to the microsecond."""
    if not name.endswith("_us") or not isinstance(value, int):
        return f"{name} {value}"
    whole, rest = divmod(abs(value), MICROSECONDS)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{name.removesuffix('_us')} {'-' * (value < 0)}{whole:,}{fraction} s"
