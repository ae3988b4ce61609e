"""Workloads of a study: an entry written by people becomes the definitions to build, at each scale.

Loads become ``<id>-load-<percent>``, variants ``<id>-<suffix>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import SlotwiseError, nearest
from scheduler_core.declarations.policy import get_policy
from scheduler_core.declarations.policy import policies as known_policies
from traces.companions import WAYS
from traces.definition import COMMON_KEYS, LOG_KEYS, MODEL_KEYS, clusters_of, companions_of, log_of, validate_definition
from workflow.checks import check_identifier, check_keys, expect, mapping_at, wrong
from workflow.logs import local_file

OVERRIDING_SCALES = ("quick", "paper")
"""Scales at which an entry may say something else than at the default one."""

EXPANSION_KEYS = ("loads", "variants", "policies", "quick", "paper")
"""Keys of a workload in a study that say how it is expanded; the others define the workload itself."""

FIXED_KEYS = ("log", "model", "quick", "paper")
"""Keys of a workload that a scale cannot override."""

EXPANDED_KEYS = ("variant", "variant_of", "draws_of")
"""Keys of a definition that come from expanding an entry or a reading; no file states them."""

DEFINITION_KEYS = tuple(
    key for key in dict.fromkeys((*LOG_KEYS, *MODEL_KEYS, *COMMON_KEYS)) if key not in EXPANDED_KEYS
)
"""Keys of a workload that define it; what they may be is for :func:`traces.definition.validate_definition`."""

VARIANT_KEYS = ("estimates", "label", "policies", *OVERRIDING_SCALES)
"""Keys of a variant of a workload; at a scale it can only be left out."""

SOURCE_KEYS = tuple(key for key in dict.fromkeys((*LOG_KEYS, *MODEL_KEYS)) if key != "replications")
"""Keys of a workload that say which jobs it has; two of the same jobs have them in common."""

NUMBERED_LOADS = 1000
"""Loads are told apart in ids by their whole percent, three digits: below 10."""


def expand_workload(
    path: Path | str, key: str, identifier: str, entry: Any, scale: str, policies: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any], list[str]]]:
    """Expand an entry of ``workloads`` into (id, definition, policies to run) for a scale."""
    written = at_scale(path, key, mapping_at(path, key, entry), scale)
    if written is None:
        return []
    if scale in OVERRIDING_SCALES and scale in entry:
        key = f"{key}.{scale}"
    check_keys(path, key, written, (*EXPANSION_KEYS, *DEFINITION_KEYS))
    chosen = choose_policies(path, key, written, list(policies))
    definition = {name: value for name, value in written.items() if name not in EXPANSION_KEYS}
    definition.setdefault("label", identifier)
    expanded = []
    for loaded, at_load in expand_loads(path, key, identifier, definition, written.get("loads")):
        check_definition(path, key, at_load)
        expanded.append((loaded, at_load, chosen))
        for suffix, variant in mapping_at(path, f"{key}.variants", written.get("variants") or {}).items():
            where = f"{key}.variants.{suffix}"
            if takes_part(path, where, mapping_at(path, where, variant), scale):
                expanded.append(expand_variant(path, where, loaded, suffix, at_load, variant, chosen))
    return expanded


def check_jobs_of(path: Path | str, entries: Mapping[str, Any], scale: str) -> None:
    """Check that workloads which have the jobs of another (``jobs_of``) say the same of where they come from."""
    for identifier, entry in entries.items():
        key = f"workloads.{identifier}"
        written = at_scale(path, key, mapping_at(path, key, entry), scale)
        other = None if written is None else written.get("jobs_of")
        if written is None or other is None:
            continue
        if other not in entries or other == identifier:
            others = [name for name in entries if name != identifier]
            hint = nearest(str(other), others) if others else "it is the only one"
            raise wrong(path, f"{key}.jobs_of", f"there is no other workload '{other}' in this study; {hint}")
        theirs = at_scale(path, f"workloads.{other}", mapping_at(path, f"workloads.{other}", entries[other]), scale)
        for name in SOURCE_KEYS:
            if theirs is not None and written.get(name) != theirs.get(name):
                raise wrong(
                    path,
                    f"{key}.{name}",
                    f"must be that of '{other}', whose jobs it has ({theirs.get(name)!r}); found {written.get(name)!r}",
                )


def check_companions(
    path: Path | str,
    cells: Iterable[tuple[str, str]],
    workloads: Mapping[str, dict[str, Any]],
    policies: Mapping[str, dict[str, Any]],
) -> None:
    """Check that every workload has the companion tables that the policies which are run on it say they need."""
    needed = {name: get_policy(policy["name"], **policy["parameters"]).companions for name, policy in policies.items()}
    present = {name: companions_of(definition) for name, definition in workloads.items()}
    for workload, policy in cells:
        missing = [table for table in needed[policy] or () if table not in present[workload]]
        if missing:
            raise wrong(
                path,
                f"workloads.{workload}",
                f"has no table '{missing[0]}', which the policy '{policy}' needs; {WAYS[missing[0]].key}, or leave the policy "
                "out of the workload's 'policies'",
            )


def check_machines(
    path: Path | str,
    cells: Iterable[tuple[str, str]],
    workloads: Mapping[str, dict[str, Any]],
    policies: Mapping[str, dict[str, Any]],
) -> None:
    """Check that policies which are for one cluster are not run on several, or on processors of another speed."""
    several = {name for name, policy in policies.items() if known_policies()[policy["name"]].several_clusters}
    machines = {name: clusters_of(entry) for name, entry in workloads.items() if "clusters" in entry}
    for workload, policy in cells:
        lines = machines.get(workload, ())
        if policy not in several and (len(lines) > 1 or any(line.speed != 1 for line in lines)):
            known = ", ".join(name for name, kind in known_policies().items() if kind.several_clusters)
            found = f"{len(lines)} clusters" if len(lines) > 1 else f"processors of speed {lines[0].speed:g}"
            raise wrong(
                path,
                f"workloads.{workload}",
                f"has {found}, and the policy '{policy}' is for one cluster of processors at speed 1; take one of {known}, "
                "or leave the policy out of the workload's 'policies'",
            )


def at_scale(path: Path | str, key: str, entry: Mapping[str, Any], scale: str) -> dict[str, Any] | None:
    """Apply a workload's overrides for ``scale``; ``None`` when it takes no part there."""
    allowed = [name for name in (*EXPANSION_KEYS, *DEFINITION_KEYS) if name not in FIXED_KEYS]
    for other in OVERRIDING_SCALES:
        if entry.get(other, {}) is not False:
            where = f"{key}.{other}"
            check_keys(path, where, mapping_at(path, where, entry.get(other, {})), allowed)
    base = {name: value for name, value in entry.items() if name not in OVERRIDING_SCALES}
    override = entry.get(scale, {}) if scale in OVERRIDING_SCALES else {}
    return None if override is False else {**base, **override}


def expand_loads(
    path: Path | str, key: str, identifier: str, definition: dict[str, Any], loads: Any
) -> list[tuple[str, dict[str, Any]]]:
    """Return the workload once for each of its ``loads``: ``lublin`` at 0.5 is ``lublin-load-050``."""
    if loads is None:
        return [(identifier, definition)]
    if "load" in definition:
        raise wrong(path, f"{key}.loads", "write either 'load' (one) or 'loads' (several), not both")
    if "mean_gap_s" in definition:
        raise wrong(path, f"{key}.loads", "gaps are scaled to either loads or a mean gap; leave one of the two out")
    expect(path, f"{key}.loads", loads, list, "a list of loads")
    expanded: dict[str, dict[str, Any]] = {}
    for load in loads:
        if type(load) not in (int, float) or not 0 < load * 100 < NUMBERED_LOADS:
            raise wrong(path, f"{key}.loads", f"a load is a number above 0 and below 10; found {load!r}")
        if abs(load * 100 - round(load * 100)) > 1e-9:
            raise wrong(
                path,
                f"{key}.loads",
                f"loads are whole percents, as they become part of file names; found {load}",
            )
        loaded = f"{identifier}-load-{round(load * 100):03d}"
        if loaded in expanded:
            raise wrong(path, f"{key}.loads", f"duplicate: {load} occurs twice")
        expanded[loaded] = {
            **definition,
            "jobs_of": definition.get("jobs_of", identifier),  # the same at every load, to be compared in pairs
            "load": float(load),
            "label": f"{definition['label']}, load {load:.2f}",
        }
    return list(expanded.items())


def takes_part(path: Path | str, key: str, variant: Mapping[str, Any], scale: str) -> bool:
    """Say whether a variant is part of a scale: unless it is left out with ``quick: false`` or ``paper: false``."""
    for other in OVERRIDING_SCALES:
        expect(path, f"{key}.{other}", variant.get(other, False), bool, "false, to leave the variant out")
    return scale not in OVERRIDING_SCALES or variant.get(scale) is not False


def expand_variant(
    path: Path | str,
    key: str,
    base: str,
    suffix: Any,
    definition: dict[str, Any],
    variant: Any,
    chosen: list[str],
) -> tuple[str, dict[str, Any], list[str]]:
    """Return a variant of the workload ``base``: the same jobs, told to the scheduler with other estimates."""
    check_identifier(path, key, suffix)
    entry = mapping_at(path, key, variant)
    check_keys(path, key, entry, VARIANT_KEYS)
    if "estimates" not in entry:
        raise wrong(path, f"{key}.estimates", "is missing; it is what a variant varies")
    words = entry.get("label", suffix)
    expect(path, f"{key}.label", words, str, "text")
    varied = {
        **definition,
        "estimates": entry["estimates"],
        "label": f"{definition['label']}, {words}",
        "variant": words,
        "variant_of": base,
        "jobs_of": definition.get("jobs_of", base),  # at one of several loads, what all loads have in common
    }
    check_definition(path, key, varied)
    return f"{base}-{suffix}", varied, choose_policies(path, key, entry, chosen)


def choose_policies(path: Path | str, key: str, entry: Mapping[str, Any], known: list[str]) -> list[str]:
    """Return the policies to run on a workload, in the order of the study: all, or those its entry lists."""
    chosen = entry.get("policies")
    if chosen is None:
        return known
    expect(path, f"{key}.policies", chosen, list, "a list of policies of this study")
    for name in chosen:
        if name not in known:
            raise wrong(
                path,
                f"{key}.policies",
                f"there is no policy '{name}' to run here; {nearest(str(name), known)}",
            )
    return [name for name in known if name in chosen]


def check_definition(path: Path | str, key: str, definition: dict[str, Any]) -> None:
    """Check a workload's definition: the log or model exists, its parameters are in range."""
    try:
        validate_definition(definition)
    except SlotwiseError as error:
        part, _, message = str(error).partition(": ")
        raise wrong(path, f"{key}.{part}", message) from error
    name = log_of(definition)
    found = local_file(name) if name is not None else None
    if found is not None and not found.is_file():
        part = "log" if "log" in definition else "fit"
        raise wrong(path, f"{key}.{part}", f"there is no file '{found}', seen from {Path.cwd()}")
