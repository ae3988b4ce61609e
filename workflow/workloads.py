"""Workloads of a study: each entry becomes the definitions to build, at each scale.

Loads become ``<id>-load-<percent>``, variants ``<id>-<suffix>``.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scheduler_core.common.errors import nearest
from scheduler_core.declarations.families import SITE_TABLES, family
from scheduler_core.declarations.policy import Policy, family_of
from scheduler_core.declarations.policy import policies as known_policies
from traces.companions import WAYS
from traces.definition import Definition, LogDefinition, read_definition, source_of
from workflow.checks import Place
from workflow.logs import local_file
from workflow.policies import StudyPolicy
from workflow.study_file import (
    EXPANDED_KEYS,
    FIXED_KEYS,
    OVERRIDING_SCALES,
    SOURCE_KEYS,
    Expansion,
    LogWorkload,
    ModelWorkload,
    Variant,
)

Cell = tuple[str, str]
"""A workload and a policy, by their ids."""


class Expanded(NamedTuple):
    """A workload of a study at a scale: its id, what to build, and the policies to run on it."""

    identifier: str
    definition: Definition
    policies: list[str]


def expand_workload(
    place: Place, identifier: str, entry: dict[str, Any], scale: str, policies: list[str]
) -> list[Expanded]:
    """Return the workloads that an entry of ``workloads`` gives at a scale: every load and variant."""
    written = at_scale(place, entry, scale)
    if written is None:
        return []
    if scale in OVERRIDING_SCALES and scale in entry:
        place = place / scale
    own = {name: value for name, value in written.items() if name not in Expansion.names()}
    check_keys(place, written)
    expansion = place.read(Expansion, {name: value for name, value in written.items() if name not in own})
    chosen = choose_policies(place, expansion.policies, policies)
    own.setdefault("label", identifier)
    expanded = []
    for loaded, at_load in expand_loads(place, identifier, own, expansion.loads):
        base = Expanded(loaded, define(place, at_load), chosen)
        expanded.append(base)
        for suffix, variant in (expansion.variants or {}).items():
            if scale not in OVERRIDING_SCALES or getattr(variant, scale):
                expanded.append(expand_variant(place / "variants" / suffix, suffix, base, variant))
    return expanded


def check_keys(place: Place, written: Mapping[str, Any]) -> None:
    """Raise :class:`StudyError` for the first key that workloads from this source do not have."""
    source = source_of(written, str(place.path), place.key)
    kind = LogWorkload if source is LogDefinition else ModelWorkload
    known = [name for name in kind.names() if name not in EXPANDED_KEYS]
    for name in written:
        if name not in known:
            raise (place / name).wrong(f"there is no such key{kind.whose}; {nearest(str(name), known)}")


def define(place: Place, written: Mapping[str, Any]) -> Definition:
    """Return a definition; if its log is a path, the file must exist."""
    definition = read_definition(written, str(place.path), place.key)
    found = local_file(definition.log_name) if definition.log_name is not None else None
    if found is not None and not found.is_file():
        part = "log" if "log" in written else "fit"
        raise (place / part).wrong(f"there is no file '{found}', seen from {Path.cwd()}")
    return definition


def check_jobs_of(place: Place, entries: Mapping[str, dict[str, Any]], scale: str) -> None:
    """Check that a workload with the jobs of another (``jobs_of``) has the same source."""
    for identifier, entry in entries.items():
        where = place / identifier
        written = at_scale(where, entry, scale)
        other = None if written is None else written.get("jobs_of")
        if written is None or other is None:
            continue
        if other not in entries or other == identifier:
            others = [name for name in entries if name != identifier]
            hint = nearest(str(other), others) if others else "it is the only one"
            raise (where / "jobs_of").wrong(f"there is no other workload '{other}' in this study; {hint}")
        theirs = at_scale(place / other, entries[other], scale)
        for name in SOURCE_KEYS:
            if theirs is not None and written.get(name) != theirs.get(name):
                raise (where / name).wrong(
                    f"must be that of '{other}', whose jobs it has ({theirs.get(name)!r}); found {written.get(name)!r}"
                )


def check_cells(
    place: Place, cells: Iterable[Cell], workloads: Mapping[str, Definition], policies: Mapping[str, StudyPolicy]
) -> None:
    """Check that every workload has the machine and the companion tables that its policies need."""
    for check in (machine_problem, companion_problem):
        for workload, policy in cells:
            if problem := check(workloads[workload], policy, policies[policy].policy):
                raise (place / workload).wrong(f"{problem}, or leave the policy out of the workload's 'policies'")


def machine_problem(workload: Definition, name: str, policy: Policy) -> str:
    """Return why a policy for one cluster cannot run on this machine; empty when it can."""
    lines = workload.clusters or ()
    if policy.several_clusters or not (len(lines) > 1 or any(line.speed != 1 for line in lines)):
        return ""
    known = ", ".join(other for other, kind in known_policies().items() if kind.several_clusters)
    found = f"{len(lines)} clusters" if len(lines) > 1 else f"processors of speed {lines[0].speed:g}"
    return f"has {found}, and the policy '{name}' is for one cluster of processors at speed 1; take one of {known}"


WITHOUT = {
    "standstills": "leave 'standstills_h' out",
    "closed_hours": "leave 'closed_hours' and 'close' out",
    "out_of_use": "write one number for 'usable'",
}
"""How a workload is written without what it says of its site, by companion table."""


def companion_problem(workload: Definition, name: str, policy: Policy) -> str:
    """Return which companion table of a policy is missing, or which it would ignore although it decides; empty when none is."""
    for table, cure in WITHOUT.items():
        if table in workload.companions and not family(family_of(type(policy))).standstills:
            return f"has {SITE_TABLES[table]}, which the policy '{name}' would not keep; {cure}"
    missing = [table for table in policy.companions or () if table not in workload.companions]
    return f"has no table '{missing[0]}', which the policy '{name}' needs; {WAYS[missing[0]].key}" if missing else ""


def at_scale(place: Place, entry: Mapping[str, Any], scale: str) -> dict[str, Any] | None:
    """Return a workload's entry with its overrides for ``scale``; ``None`` if it takes no part there."""
    overrides = place.read(Expansion, {name: entry[name] for name in OVERRIDING_SCALES if name in entry})
    kinds = {name: getattr(overrides, name) for name in OVERRIDING_SCALES}
    allowed = [
        name for name in (*LogWorkload.names(), *ModelWorkload.names()) if name not in (*FIXED_KEYS, *EXPANDED_KEYS)
    ]
    for other, override in kinds.items():
        for name in override or {}:
            if name not in allowed:
                raise (place / other / name).wrong(f"there is no such key; {nearest(str(name), allowed)}")
    if kinds.get(scale) is False:
        return None
    base = {name: value for name, value in entry.items() if name not in OVERRIDING_SCALES}
    return {**base, **kinds.get(scale, {})}


def expand_loads(
    place: Place, identifier: str, written: dict[str, Any], loads: list[float] | None
) -> list[tuple[str, dict[str, Any]]]:
    """Return the workload once for each of its ``loads``: ``lublin`` at 0.5 is ``lublin-load-050``."""
    if loads is None:
        return [(identifier, written)]
    if "load" in written:
        raise (place / "loads").wrong("write either 'load' (one) or 'loads' (several), not both")
    if "mean_gap_s" in written:
        raise (place / "loads").wrong("gaps are scaled to either loads or a mean gap; leave one of the two out")
    expanded: dict[str, dict[str, Any]] = {}
    for load in loads:
        loaded = f"{identifier}-load-{round(load * 100):03d}"
        if loaded in expanded:
            raise (place / "loads").wrong(f"duplicate: {load} occurs twice")
        expanded[loaded] = {
            **written,
            "jobs_of": written.get("jobs_of", identifier),  # the same jobs at every load, for comparison in pairs
            "load": load,
            "label": f"{written['label']}, load {load:.2f}",
        }
    return list(expanded.items())


def expand_variant(place: Place, suffix: str, base: Expanded, variant: Variant) -> Expanded:
    """Return a variant of a workload: the same jobs with other estimates."""
    words, written = variant.label or suffix, base.definition.written
    varied = {
        **written,
        "estimates": variant.written["estimates"],
        "label": f"{written['label']}, {words}",
        "variant": words,
        "variant_of": base.identifier,
        "jobs_of": written.get("jobs_of", base.identifier),  # at one of several loads, what all loads have in common
    }
    chosen = choose_policies(place, variant.policies, base.policies)
    return Expanded(f"{base.identifier}-{suffix}", define(place, varied), chosen)


def choose_policies(place: Place, chosen: list[str] | None, known: list[str]) -> list[str]:
    """Return the policies to run on a workload, in the order of the study: all, or the chosen ones."""
    if chosen is None:
        return known
    for name in chosen:
        if name not in known:
            raise (place / "policies").wrong(f"there is no policy '{name}' to run here; {nearest(str(name), known)}")
    return [name for name in known if name in chosen]
