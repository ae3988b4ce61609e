"""Readings of a study: resolutions of what its source leaves open, and the cells in which each differs from the headline.

The first reading of a study is its headline: what the study's own definitions say. Every other one gives some policies other
parameters, or puts other workloads in the place of some, and its cells are run beside the headline's: policy ``p`` under the
reading ``r`` is the policy ``p-r``; the first two draws alone of workload ``w`` are the workload ``w-draws-2``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import SlotwiseError, nearest
from scheduler_core.declarations.policy import get_policy
from workflow.checks import check_identifier, check_keys, expect, mapping_at, wrong

Cell = tuple[str, str]
"""A workload and a policy, by their ids."""

WORDS = ("label", "follows", "choices")
"""Keys of every reading: how it is called, what it follows, and what it chooses where the source leaves a choice."""

CHANGES = ("set", "policies", "unaffected", "on", "draws", "stands_for", "quick", "paper")
"""Keys of the readings but the headline: what they change, where, and at which scales."""

HEADLINE = "headline"
"""Id of the one reading of a study that names none."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of a study at one scale.

    Attributes
    ----------
    name, label, follows
        Its id, how the report calls it, and the sentence or listing it follows.
    choices
        What it chooses, by what there is to choose; all readings of a study choose about the same.
    draws
        How many of the first draws the cells have that it runs itself; ``None`` for all.
    workloads, policies
        By ids of the study: what stands for them. What the reading did not run is absent.
    cells
        The same for pairs of them.
    """

    name: str
    label: str
    follows: str
    choices: dict[str, str]
    draws: int | None
    workloads: dict[str, str]
    policies: dict[str, str]
    cells: dict[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Expanded:
    """The readings of a study that take part at a scale, the headline first, and all that is run for them and for it."""

    readings: list[Reading]
    workloads: dict[str, dict[str, Any]]
    policies: dict[str, dict[str, Any]]
    cells: list[Cell]


def expand_readings(
    path: Path | str,
    written: Any,
    scale: str,
    workloads: Mapping[str, dict[str, Any]],
    policies: Mapping[str, dict[str, Any]],
    cells: list[Cell],
) -> Expanded:
    """Check the readings of a study, and expand them into workloads, policies and cells of their own.

    Parameters
    ----------
    path
        The study file.
    written
        What stands there under ``readings``; ``None`` for a study that has but one.
    scale
        The scale of the study. At the default scale every workload that a reading names must be there; at the others some may
        be left out, and readings with them.
    workloads, policies, cells
        The study's own, expanded.
    """
    entries = read_entries(path, written)
    for name, entry in entries.items():
        check_workloads(path, f"readings.{name}", entry, workloads, strict=scale == "default")
    stand_ins = {stand_in for entry in entries.values() for stand_in in entry.get("stands_for", {}).values()}
    own = {cell: cell for cell in cells if cell[0] not in stand_ins}
    headline, *others = entries
    every = Expanded(
        readings=[
            Reading(
                name=headline,
                label=entries[headline]["label"],
                follows=entries[headline]["follows"],
                choices=entries[headline]["choices"],
                draws=None,
                workloads={name: name for name in workloads if name not in stand_ins},
                policies={name: name for name in policies},
                cells=own,
            )
        ],
        workloads={name: entry for name, entry in workloads.items() if name not in stand_ins},
        policies=dict(policies),
        cells=list(own),
    )
    for name in others:
        changed = change_policies(path, f"readings.{name}", name, entries[name], policies)
        if takes_part(entries[name], scale):
            add_reading(path, name, entries[name], scale, every, changed, workloads, policies, cells)
    return every


def read_entries(path: Path | str, written: Any) -> dict[str, dict[str, Any]]:
    """Check what each reading says by itself, and that no two say the same; return them by id."""
    if written is None:
        return {HEADLINE: {"label": "Headline", "follows": "", "choices": {}}}
    entries = mapping_at(path, "readings", written)
    if not entries:
        raise wrong(path, "readings", "names no reading; leave the key out where the source leaves nothing open")
    first, *_ = entries
    known: dict[tuple[str, ...], str] = {}
    for name, entry in entries.items():
        key = f"readings.{name}"
        check_identifier(path, key, name)
        check_entry(path, key, mapping_at(path, key, entry), headline=name == first)
        if list(entry["choices"]) != list(entries[first]["choices"]):
            found, expected = (", ".join(map(repr, of["choices"])) for of in (entry, entries[first]))
            raise wrong(
                path,
                f"{key}.choices",
                f"expected what '{first}' chooses about, in its order: {expected or 'nothing'}; found {found or 'nothing'}",
            )
        for told, value in (("label", [entry["label"]]), ("choices", entry["choices"].values())):
            other = known.setdefault((told, *value), name)
            if other != name:
                raise wrong(path, f"{key}.{told}", f"duplicate: the reading '{other}' has the same {told}")
    return entries


def check_entry(path: Path | str, key: str, entry: dict[str, Any], *, headline: bool) -> None:
    """Check the keys of a reading and the kinds of their values."""
    if headline and (more := [name for name in entry if name in CHANGES]):
        raise wrong(
            path,
            f"{key}.{more[0]}",
            "the first reading is the headline, and the study's own definitions say what it is; leave the key out, or put "
            "another reading first",
        )
    check_keys(path, key, entry, WORDS if headline else (*WORDS, *CHANGES))
    for name in WORDS:
        if name not in entry:
            raise wrong(path, f"{key}.{name}", "is missing; every reading has it")
    expect(path, f"{key}.label", entry["label"], str, "text")
    expect(path, f"{key}.follows", entry["follows"], str, "the sentence or listing the reading follows, with its place")
    for name, choice in mapping_at(path, f"{key}.choices", entry["choices"]).items():
        expect(path, f"{key}.choices", name, str, "what there is to choose, in words")
        expect(path, f"{key}.choices.{name}", choice, str, "the choice in words (in quotes, where it is a number)")
    if headline:
        return
    if not entry.get("set") and not entry.get("stands_for"):
        raise wrong(path, key, "changes nothing; say which parameters differ ('set') or which workloads ('stands_for')")
    for name in ("set", "stands_for"):
        mapping_at(path, f"{key}.{name}", entry.get(name, {}))
    for name in ("policies", "unaffected", "on"):
        expect(path, f"{key}.{name}", entry.get(name, []), list, "a list of ids of the study")
        if name != "on" and name in entry and not entry.get("set"):
            raise wrong(path, f"{key}.{name}", "is for policies that get other parameters; say which with 'set'")
    draws = entry.get("draws", 1)
    if type(draws) is not int or draws < 1:
        raise wrong(path, f"{key}.draws", f"expected a whole number of at least 1; found {draws!r}")
    for scale in ("quick", "paper"):
        expect(path, f"{key}.{scale}", entry.get(scale, False), bool, "true or false: whether it takes part there")


def takes_part(entry: Mapping[str, Any], scale: str) -> bool:
    """Say whether a reading takes part at a scale: at ``quick`` only where it says so."""
    return bool(entry.get(scale, scale != "quick"))


def check_workloads(
    path: Path | str, key: str, entry: Mapping[str, Any], workloads: Mapping[str, Any], *, strict: bool
) -> None:
    """Check the workloads a reading names; unless ``strict``, those of other scales may be missing."""
    stands_for = entry.get("stands_for", {})
    for name, told in (
        *((name, "on") for name in entry.get("on", [])),
        *((name, "stands_for") for pair in stands_for.items() for name in pair),
    ):
        if strict and name not in workloads:
            raise wrong(
                path, f"{key}.{told}", f"there is no workload '{name}' in this study; {nearest(str(name), workloads)}"
            )
    for name, stand_in in stands_for.items():
        if stand_in in stands_for:
            raise wrong(path, f"{key}.stands_for.{name}", f"'{stand_in}' cannot stand for a workload and be stood for")


def change_policies(
    path: Path | str, key: str, reading: str, entry: Mapping[str, Any], policies: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any] | None]:
    """Return what a reading makes of the policies whose parameters it would change; ``None`` for one that it does not run."""
    changes = entry.get("set", {})
    for name in changes:
        known = sorted({parameter for policy in policies.values() for parameter in policy["parameters"]})
        if name not in known:
            raise wrong(
                path, f"{key}.set.{name}", f"no policy of the study has this parameter; {nearest(str(name), known)}"
            )
    for told in ("policies", "unaffected"):
        for name in entry.get(told, []):
            where = f"{key}.{told}"
            if name not in policies:
                raise wrong(path, where, f"there is no policy '{name}' in this study; {nearest(str(name), policies)}")
            if not set(changes) & set(policies[name]["parameters"]):
                raise wrong(path, where, f"'{name}' has none of the parameters in 'set'; leave it out")
            if told == "unaffected" and name in entry.get("policies", []):
                raise wrong(path, where, f"'{name}' is among the policies that are run anew; name it once")
    changed: dict[str, dict[str, Any] | None] = {}
    for name, policy in policies.items():
        own = {parameter: value for parameter, value in changes.items() if parameter in policy["parameters"]}
        parameters = {**policy["parameters"], **own}
        if name in entry.get("unaffected", []) or parameters == policy["parameters"]:
            continue
        if name not in entry.get("policies", [other for other in policies if not policies[other]["reference"]]):
            changed[name] = None
            continue
        try:
            made = get_policy(policy["name"], **parameters)
        except (SlotwiseError, TypeError) as error:
            raise wrong(path, f"{key}.set", error) from error
        label = f"{policy['label']} ({entry['label']})"
        changed[name] = {**policy, "parameters": made.values(), "label": label, "reference": True}
    return changed


def add_reading(
    path: Path | str,
    name: str,
    entry: dict[str, Any],
    scale: str,
    every: Expanded,
    changed: Mapping[str, dict[str, Any] | None],
    workloads: Mapping[str, dict[str, Any]],
    policies: Mapping[str, dict[str, Any]],
    cells: list[Cell],
) -> None:
    """Add a reading, and what is run for it, to what there is; at other scales than the default it may have nothing to run."""
    stands_for, headline, run = entry.get("stands_for", {}), every.readings[0], set(cells)
    draws = None if scale == "paper" else entry.get("draws")
    renamed = {policy: f"{policy}-{name}" if policy in changed else policy for policy in policies}
    found: dict[Cell, Cell] = {}
    new = False
    for workload, policy in headline.cells:
        source, stand_in = stands_for.get(workload, workload), renamed[policy]
        if (source, stand_in) == (workload, policy):
            found[workload, policy] = workload, policy
        elif "on" in entry and workload not in entry["on"]:
            continue
        elif (source, policy) in run and changed.get(policy, policies[policy]) is not None:
            drawn, definition = first_draws(source, workloads[source], draws)
            found[workload, policy] = drawn, stand_in
            run_as = changed.get(policy) or policies[policy]
            for kind, identifier, known, what in (
                ("workload", drawn, every.workloads, definition),
                ("policy", stand_in, every.policies, run_as),
            ):
                if known.setdefault(identifier, what) != what:
                    told = f"the study has a {kind} '{identifier}' already; give the reading another id"
                    raise wrong(path, f"readings.{name}", told)
            new = True
    if not new:
        if scale == "default":
            raise wrong(path, f"readings.{name}", "changes nothing: no cell of the study differs from the headline's")
        return
    present, stood_for = set(every.cells), dict.fromkeys(found.values())
    every.cells.extend(cell for cell in stood_for if cell not in present)
    every.readings.append(
        Reading(
            name=name,
            label=entry["label"],
            follows=entry["follows"],
            choices=entry["choices"],
            draws=draws,
            workloads=workloads_under(found, headline.workloads, stands_for),
            policies={own: other for own, other in renamed.items() if own in {cell[1] for cell in found}},
            cells=found,
        )
    )


def workloads_under(
    cells: Mapping[Cell, Cell], own: Mapping[str, str], stands_for: Mapping[str, str]
) -> dict[str, str]:
    """Say which workload holds the jobs of each of the study's: the study's own, unless another stands for it."""
    drawn = {workload: cell[0] for (workload, _), cell in cells.items() if workload in stands_for}
    return {
        workload: drawn.get(workload, workload) for workload in own if workload in drawn or workload not in stands_for
    }


def first_draws(name: str, definition: Mapping[str, Any], draws: int | None) -> tuple[str, dict[str, Any]]:
    """Return id and definition of the first draws of a workload, with the same jobs; of itself where it has no more."""
    if draws is None or draws >= definition.get("replications", 1):
        return name, dict(definition)
    label = f"{definition['label']}, {'first draw' if draws == 1 else f'first {draws} draws'}"
    kept = {key: value for key, value in definition.items() if key not in ("variant", "variant_of")}
    return f"{name}-draws-{draws}", {**kept, "replications": draws, "draws_of": name, "label": label}
