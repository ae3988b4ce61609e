"""Study files: what to run, as data. Read, checked and expanded into workloads, policies and cells.

A study is checked whole before any job starts. Every complaint names the file, the key (dotted) and, for a
misspelt word, the nearest one that is known. Snakemake reads this module each time it starts, so it imports
nothing heavy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.figures.names import general_names
from scheduler_core.common.errors import SlotwiseError, nearest
from scheduler_core.declarations.policy import get_policy, policy_names
from workflow.checks import check_identifier, check_keys, expect, mapping_at, wrong
from workflow.readings import Reading, expand_readings
from workflow.study_page import PAGE_KEYS, read_page
from workflow.workloads import OVERRIDING_SCALES, check_companions, check_jobs_of, check_machines, expand_workload
from workflow.yaml_files import read_yaml

SCALES = ("default", "quick", "paper")
"""The scales of a study: as written, a minute's worth, and that of a publication."""

STUDY_KEYS = (
    "study", "title", "question", "seed", "versus", "fair", "colours", "position", "figures",
    "pictured", "workloads", "policies", "readings",
    "printed_values", "claims", "claims_from", *PAGE_KEYS,
)  # fmt: skip
"""Keys of a study file; those from ``versus`` to ``pictured`` and from ``readings`` on may be left out."""

LAST = 1_000_000
"""The position of a study that states none."""

POLICY_KEYS = ("uses", "label", "reference", *OVERRIDING_SCALES)
"""Keys of a policy in a study beside the policy's own parameters."""


@dataclass(frozen=True, slots=True)
class Study:
    """A study at one scale.

    Attributes
    ----------
    name, scale, title, question
        Its id, the scale, how the report calls it, and what it asks.
    seed
        Where the random numbers of its models come from.
    versus
        Id of the policy the others are compared with; ``None`` for no comparison.
    fair
        Id of the policy whose starts are the fair ones; ``None`` where fairness is not measured.
    colours
        Colours of policies in figures and tables, by id; the others get spare ones.
    figures
        Names of the general figures the report shows, in this order; ``None`` for all that the data allow.
    pictured
        Policies whose schedules are drawn first, in this order; the others follow in the order of the study.
    workloads
        Definition of each workload by id, those of readings behind the study's own: what
        :func:`traces.build.build_workload` takes.
    policies
        By id: ``uses`` (the word it is asked for by: a policy's name or a preset's), ``name`` (the policy's own), ``parameters``
        (all), ``label``, ``source`` and ``reference``.
    cells
        Pairs (workload id, policy id) to run, in the order of the study; those of readings behind the study's own.
    readings
        The headline, and what else the source may be read to mean; see :mod:`workflow.readings`.
    printed_values
        Numbers that its sources print, from the file it names; see :mod:`reports.measure.printed`.
    claims
        What the literature claims, as written: those of the study file, then those of its files of claims, in the
        order it names them; see :mod:`reports.ledger.claims`.
    page
        What its page says first, as written; see :mod:`workflow.study_page`.
    measures
        The queries that claims, answer and numbers name: ``path`` and ``sql`` by name; see :mod:`reports.ledger.measures`.
    position
        Its place among the studies of a report, the least first; studies with equal positions go by name.
    path
        The study file.
    data_files
        The files it names: of claims and of printed values.
    """

    name: str
    scale: str
    title: str
    question: str
    seed: int
    versus: str | None
    fair: str | None
    colours: dict[str, str]
    figures: list[str] | None
    pictured: list[str]
    workloads: dict[str, dict[str, Any]]
    policies: dict[str, dict[str, Any]]
    cells: list[tuple[str, str]]
    readings: list[Reading]
    printed_values: list[tuple[Any, ...]]
    claims: list[dict[str, Any]]
    page: dict[str, Any]
    measures: dict[str, dict[str, str]]
    position: int
    path: str
    data_files: list[str]


def read_study(path: Path | str, scale: str = "default") -> Study:
    """Read, check and expand a study file for a scale, one of :data:`SCALES`; see :func:`read_scales`."""
    return read_scales(path, (scale,))[scale]


def read_scales(path: Path | str, scales: Sequence[str] = SCALES) -> dict[str, Study]:
    """Read and check a study file once, and expand it for some scales.

    Parameters
    ----------
    path
        The study file; the name of its folder is the study's id.
    scales
        Of :data:`SCALES`.

    Raises
    ------
    StudyError
        For whatever is wrong with it; the text names file, key and nearest known name.
    """
    written = mapping_at(path, "", read_yaml(path))
    check_head(path, written)
    claim_files = find_claim_files(Path(path), written.get("claims_from") or [])
    claims = read_claims(path, written, claim_files)
    printed = find_printed_values(Path(path), written.get("printed_values"))
    policies = {scale: read_policies(path, written["policies"], scale) for scale in scales}
    of_every_scale = {
        "name": written["study"],
        "title": written["title"],
        "question": written["question"],
        "seed": written["seed"],
        "versus": written.get("versus"),
        "fair": written.get("fair"),
        "colours": written.get("colours") or {},
        "figures": written.get("figures"),
        "pictured": written.get("pictured") or [],
        "claims": claims,
        "page": read_page(Path(path), written, [claim["id"] for claim in claims]),
        "measures": find_measures(path, written, claims),
        "position": written.get("position", LAST),
        "path": str(path),
        "data_files": [str(file) for file in [*claim_files, *([printed] if printed else [])]],
    }
    return {
        scale: Study(**of_every_scale, **expand(path, written, scale, policies[scale], printed)) for scale in scales
    }


def expand(
    path: Path | str, written: dict[str, Any], scale: str, policies: dict[str, dict[str, Any]], printed: Path | None
) -> dict[str, Any]:
    """Expand workloads and readings of a study for a scale: what a :class:`Study` has that differs between scales."""
    workloads: dict[str, dict[str, Any]] = {}
    cells: list[tuple[str, str]] = []
    for identifier, entry in mapping_at(path, "workloads", written["workloads"]).items():
        key = f"workloads.{identifier}"
        check_identifier(path, key, identifier)
        for workload, definition, chosen in expand_workload(path, key, identifier, entry, scale, policies):
            if workload in workloads:
                raise wrong(path, key, f"duplicate: the workload id '{workload}' comes from two entries of this study")
            workloads[workload] = definition
            cells += [(workload, policy) for policy in chosen]
    check_jobs_of(path, written["workloads"], scale)
    expanded = expand_readings(path, written.get("readings"), scale, workloads, policies, cells)
    check_machines(path, expanded.cells, expanded.workloads, expanded.policies)
    check_companions(path, expanded.cells, expanded.workloads, expanded.policies)
    return {
        "scale": scale,
        "workloads": expanded.workloads,
        "policies": expanded.policies,
        "cells": expanded.cells,
        "readings": expanded.readings,
        "printed_values": read_printed(printed, list(policies), list(workloads) if scale == "default" else None),
    }


def check_head(path: Path | str, written: dict[str, Any]) -> None:
    """Check a study's keys, and the values that stand alone."""
    check_keys(path, "", written, STUDY_KEYS)
    for key in (*STUDY_KEYS[:4], "workloads", "policies"):
        if key not in written:
            raise wrong(path, key, "is missing; every study has it")
    for key in ("study", "title", "question"):
        expect(path, key, written[key], str, "text")
    expect(path, "seed", written["seed"], int, "a whole number")
    if written["seed"] < 0:
        raise wrong(path, "seed", f"must not be negative; found {written['seed']}")
    folder = Path(path).resolve().parent.name
    check_identifier(path, "study", written["study"])
    if written["study"] != folder:
        raise wrong(path, "study", f"must be '{folder}', the name of its folder; found '{written['study']}'")
    expect(path, "position", written.get("position", LAST), int, "a whole number")
    for key in ("versus", "fair"):
        check_named_policy(path, key, written.get(key), written)
    for policy, colour in mapping_at(path, "colours", written.get("colours") or {}).items():
        check_named_policy(path, f"colours.{policy}", policy, written)
        if not re.fullmatch("#[0-9a-f]{6}", str(colour)):
            raise wrong(path, f"colours.{policy}", f"must be a colour as '#0b7bc1'; found {colour!r}")
    check_figures(path, written.get("figures"))
    expect(path, "pictured", written.get("pictured") or [], list, "a list of policies of the study")
    for policy in written.get("pictured") or []:
        check_named_policy(path, "pictured", policy, written)


def check_named_policy(path: Path | str, key: str, policy: Any, written: dict[str, Any]) -> None:
    """Check that a policy a key names is one of the study."""
    if policy is not None and policy not in mapping_at(path, "policies", written["policies"]):
        hint = nearest(str(policy), written["policies"])
        raise wrong(path, key, f"there is no policy '{policy}' in this study; {hint}")


def check_figures(path: Path | str, names: Any) -> None:
    """Check the general figures a study lists."""
    if names is None:
        return
    expect(path, "figures", names, list, "a list of names of general figures")
    known = general_names()
    for name in names:
        if name not in known:
            raise wrong(path, "figures", f"there is no general figure '{name}'; {nearest(str(name), known)}")


def find_claim_files(path: Path, names: Any) -> list[Path]:
    """Find the files of claims a study names, each from the folder of the study file."""
    key = "claims_from"
    expect(path, key, names, list, "a list of files")
    for name in names:
        expect(path, key, name, str, "the name of a file")
        if names.count(name) > 1:
            raise wrong(path, key, f"duplicate: '{name}' is listed twice")
        if not (path.parent / name).is_file():
            known = [str(file.relative_to(path.parent)) for file in sorted(path.parent.glob("claims*.yaml"))]
            hint = nearest(name, known) if known else f"files are looked for in {path.parent}"
            raise wrong(path, key, f"there is no file '{name}'; {hint}")
    return [path.parent / name for name in names]


def find_printed_values(path: Path, name: Any) -> Path | None:
    """Find the file of printed values a study names, from the folder of the study file."""
    if name is None:
        return None
    key = "printed_values"
    expect(path, key, name, str, "the name of a file")
    if not (path.parent / name).is_file():
        known = [str(file.relative_to(path.parent)) for file in sorted(path.parent.glob("*.csv"))]
        hint = nearest(name, known) if known else f"files are looked for in {path.parent}"
        raise wrong(path, key, f"there is no file '{name}'; {hint}")
    return path.parent / name


def read_printed(path: Path | None, policies: list[str], workloads: list[str] | None) -> list[tuple[Any, ...]]:
    """Read the printed values of a study, if it names a file of them."""
    from reports.measure.printed import read_printed_values

    return [] if path is None else read_printed_values(path, policies, workloads)


def read_claims(path: Path | str, written: dict[str, Any], files: list[Path]) -> list[dict[str, Any]]:
    """Read the claims of a study: those it writes itself, then those of its files; no two have an id or a headline in common."""
    parts = [(path, "claims", written.get("claims")), *((file, "", read_yaml(file)) for file in files)]
    first: dict[tuple[str, str], Path | str] = {}
    found: list[dict[str, Any]] = []
    for file, key, claims in parts:
        check_claims(file, key, written["study"], claims or [])
        for claim in claims or []:
            for word in ("id", "headline"):
                other = first.setdefault((word, claim.get(word, claim["id"])), file)
                if other != file:
                    raise wrong(file, key, f"duplicate: the {word} '{claim[word]}' is taken by a claim in {other}")
            found.append(claim)
    return found


def check_claims(path: Path | str, key: str, study: str, claims: Any) -> None:
    """Check claims of a study as the ledger reads them; they stand in a file, under a key where there is one."""
    from reports.ledger.claim_checks import validate_claims

    try:
        validate_claims(study, claims)
    except SlotwiseError as error:
        raise wrong(path, key, error) from error


def find_measures(path: Path | str, written: dict[str, Any], claims: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Read the measures that claims, answer and numbers name, and check the parameters they are given."""
    from reports.ledger.measures import measured_by, read_measures

    try:
        return read_measures(Path(path), measured_by(written, claims))
    except SlotwiseError as error:
        raise wrong(path, "", error) from error


def read_policies(path: Path | str, written: Any, scale: str) -> dict[str, dict[str, Any]]:
    """Check the policies of a study, and complete their parameters and labels for a scale."""
    policies: dict[str, dict[str, Any]] = {}
    labels: dict[str, str] = {}
    for identifier, entry in mapping_at(path, "policies", written).items():
        key = f"policies.{identifier}"
        check_identifier(path, key, identifier)
        policy = read_policy(path, key, identifier, mapping_at(path, key, entry or {}), scale)
        other = labels.setdefault(policy["label"], identifier)
        if other != identifier:
            raise wrong(path, f"{key}.label", f"duplicate: '{policy['label']}' is also the label of '{other}'")
        policies[identifier] = policy
    return policies


def read_policy(
    path: Path | str, key: str, identifier: str, entry: Mapping[str, Any], scale: str = "default"
) -> dict[str, Any]:
    """Return one policy of a study with all its parameters; those under ``quick`` and ``paper`` hold at that scale."""
    uses = entry.get("uses", identifier)
    names = policy_names()
    expect(path, f"{key}.uses", uses, str, "the name of a policy")
    if uses not in names:
        hint = "" if "uses" in entry else " (name the policy this id stands for with 'uses')"
        raise wrong(path, f"{key}.uses", f"there is no policy '{uses}'{hint}; {nearest(str(uses), names)}")
    parameters = {name: value for name, value in entry.items() if name not in POLICY_KEYS}
    for other in OVERRIDING_SCALES:
        different = mapping_at(path, f"{key}.{other}", entry.get(other, {}))
        for name in different:
            if name in POLICY_KEYS:
                raise wrong(path, f"{key}.{other}.{name}", "is the same at every scale; only parameters may differ")
        if other == scale:
            parameters, key = {**parameters, **different}, f"{key}.{other}" if different else key
    kind, _, label = names[uses]
    try:
        policy = get_policy(uses, **parameters)
    except (SlotwiseError, TypeError) as error:
        raise wrong(path, key, error) from error
    label, reference = entry.get("label", label), entry.get("reference", False)
    expect(path, f"{key}.label", label, str, "text")
    expect(path, f"{key}.reference", reference, bool, "true or false")
    return {
        "label": label,
        "uses": uses,
        "name": kind.name,
        "parameters": policy.values(),
        "source": kind.source,
        "reference": reference,
    }
