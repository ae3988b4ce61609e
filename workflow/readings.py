"""Readings of a study: resolutions of what its source leaves open, and the cells in which each differs from the headline.

The first reading of a study is its headline: the study's own definitions. Every other reading gives some policies other
parameters, or replaces some workloads; its cells run beside the headline's. Policy ``p`` under the reading ``r`` is the policy
``p-r``; the first two draws of workload ``w`` are the workload ``w-draws-2``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.common.errors import SlotwiseError, nearest
from traces.definition import Definition, read_definition
from workflow.checks import Place
from workflow.policies import StudyPolicy
from workflow.study_file import ReadingEntry
from workflow.workloads import Cell

WORDS = ("label", "follows", "choices")
"""Keys of the headline; the other keys of a reading change something."""

HEADLINE = "headline"
"""Id of the only reading of a study that names none."""


@dataclass(frozen=True)
class Reading:
    """A reading of a study at one scale; ``reading`` is its id.

    ``follows`` is the sentence or listing it follows. ``choices`` are by subject; all readings of a study have the same
    subjects. ``draws`` is how many of the first draws its own cells have, ``None`` for all. ``workloads``, ``policies`` and
    ``cells`` map those of the study to their replacements; what the reading does not run is absent. ``metrics`` maps metrics that
    claims name to those by which they are measured.
    A ``second_headline`` stands beside the headline on pages and in counts.
    """

    reading: str
    label: str
    follows: str
    choices: dict[str, str]
    draws: int | None
    workloads: dict[str, str]
    policies: dict[str, str]
    cells: dict[Cell, Cell]
    metrics: dict[str, str] = field(default_factory=dict)
    second_headline: bool = False


@dataclass(frozen=True)
class Runs:
    """Workloads, policies, and the cells to run, in order."""

    workloads: dict[str, Definition]
    policies: dict[str, StudyPolicy]
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Under:
    """The runs of one reading: replacements of the headline's policies and cells, and the workloads and policies to run."""

    renamed: dict[str, str] = field(default_factory=dict)
    cells: dict[Cell, Cell] = field(default_factory=dict)
    workloads: dict[str, Definition] = field(default_factory=dict)
    policies: dict[str, StudyPolicy] = field(default_factory=dict)


def expand_readings(
    place: Place, entries: Mapping[str, ReadingEntry] | None, scale: str, own: Runs
) -> tuple[list[Reading], Runs]:
    """Return the readings that take part at a scale, the headline first, and everything to run.

    ``entries`` are the readings by id, the headline first, or None for a study that names none; ``own`` is what the study's own
    definitions run.
    """
    if entries is None:
        entries = {HEADLINE: ReadingEntry(label="Headline", follows="", choices={})}
    check_entries(place, entries)
    (first, headline), *others = entries.items()
    stand_ins = {name for _, entry in others for name in entry.stands_for.values()}
    cells = {cell: cell for cell in own.cells if cell[0] not in stand_ins}
    shown = {name: name for name in own.workloads if name not in stand_ins}
    known = {name: name for name in own.policies}
    written = headline.label, headline.follows, headline.choices
    readings = [Reading(first, *written, None, shown, known, cells)]
    every = Runs({name: own.workloads[name] for name in shown}, dict(own.policies), list(cells))
    for name, entry in others:
        check_workloads(place / name, entry, own.workloads, strict=scale == "full")
    for name, entry in others:
        where, draws = place / name, None if scale == "paper" else entry.draws
        changed = change_policies(where, entry, own.policies)
        if not entry.takes_part(scale):
            continue
        under = runs_under(name, entry, draws, own, readings[0], changed)
        if under.workloads or entry.metrics:
            add_runs(where, every, under)
            readings.append(make_reading(name, entry, draws, under, readings[0]))
        elif scale == "full":
            raise where.wrong("changes nothing: no cell of the study differs from the headline's")
    return readings, every


def check_entries(place: Place, entries: Mapping[str, ReadingEntry]) -> None:
    """Check that the headline changes nothing, that every other reading does, and that no two agree."""
    if not entries:
        raise place.wrong("names no reading; leave the key out where the source leaves nothing open")
    first, *_ = entries
    known: dict[tuple[str, ...], str] = {}
    for name, entry in entries.items():
        where = place / name
        check_changes(where, entry, headline=name == first)
        if list(entry.choices) != list(entries[first].choices):
            found, expected = (", ".join(map(repr, of.choices)) or "nothing" for of in (entry, entries[first]))
            raise (where / "choices").wrong(
                f"expected what '{first}' chooses about, in its order: {expected}; found {found}"
            )
        for key, value in (("label", [entry.label]), ("choices", entry.choices.values())):
            other = known.setdefault((key, *value), name)
            if other != name:
                raise (where / key).wrong(f"duplicate: the reading '{other}' has the same {key}")


def check_changes(place: Place, entry: ReadingEntry, *, headline: bool) -> None:
    """Check what a reading changes: nothing for the headline."""
    more = [name for name in entry.written if name not in WORDS]
    if headline and more:
        raise (place / more[0]).wrong(
            "the first reading is the headline, which the study's own definitions describe; leave the key out, or put "
            "another reading first"
        )
    if headline:
        return
    if not entry.changes and not entry.stands_for and not entry.metrics:
        raise place.wrong(
            "changes nothing; say which parameters ('set'), workloads ('stands_for') or metrics ('metrics') differ"
        )
    check_metrics(place / "metrics", entry.metrics)
    for name in ("policies", "unaffected"):
        if name in entry.written and not entry.changes:
            raise (place / name).wrong("is for policies that get other parameters; say which with 'set'")
    if entry.second_headline and entry.draws is not None:
        raise (place / "draws").wrong("a second headline has all draws; leave the key out")


def check_metrics(place: Place, metrics: Mapping[str, str]) -> None:
    """Check the metrics that a reading exchanges; the catalogue is loaded only for a reading that does."""
    if metrics:
        from reports.measure.catalogue import METRICS

        for pair in metrics.items():
            for name in pair:
                place.check_known(name, METRICS, "metric")


def check_workloads(place: Place, entry: ReadingEntry, workloads: Mapping[str, Any], *, strict: bool) -> None:
    """Check the workloads that a reading names; unless ``strict``, those of other scales may be missing."""
    if strict:
        for name in entry.on or []:
            (place / "on").check_known(name, workloads, "workload")
        for pair in entry.stands_for.items():
            for name in pair:
                (place / "stands_for").check_known(name, workloads, "workload")
    for name, stand_in in entry.stands_for.items():
        if stand_in in entry.stands_for:
            raise (place / "stands_for" / name).wrong(f"'{stand_in}' cannot stand for a workload and be stood for")


def change_policies(
    place: Place, entry: ReadingEntry, policies: Mapping[str, StudyPolicy]
) -> dict[str, StudyPolicy | None]:
    """Return the policies whose parameters a reading would change, changed; ``None`` for a policy it does not run."""
    parameters = {name: policy.policy.values() for name, policy in policies.items()} if entry.changes else {}
    check_changed(place, entry, parameters)
    run = entry.policies if entry.policies is not None else [name for name in policies if not policies[name].reference]
    changed: dict[str, StudyPolicy | None] = {}
    for name, values in parameters.items():
        own = {parameter: value for parameter, value in entry.changes.items() if parameter in values}
        if name in entry.unaffected or {**values, **own} == values:
            continue
        if name not in run:
            changed[name] = None
            continue
        try:
            changed[name] = policies[name].changed(f"{policies[name].label} ({entry.label})", own)
        except (SlotwiseError, TypeError) as error:
            raise (place / "set").wrong(error) from error
    return changed


def check_changed(place: Place, entry: ReadingEntry, parameters: Mapping[str, dict[str, Any]]) -> None:
    """Check the parameters that a reading sets, and the policies that it names; ``parameters`` has each policy's."""
    known = sorted({name for values in parameters.values() for name in values})
    for name in entry.changes:
        if name not in known:
            raise (place / "set" / name).wrong(f"no policy of the study has this parameter; {nearest(name, known)}")
    for key in ("policies", "unaffected"):
        for name in getattr(entry, key) or []:
            where = place / key
            where.check_known(name, parameters, "policy")
            if not set(entry.changes) & set(parameters[name]):
                raise where.wrong(f"'{name}' has none of the parameters in 'set'; leave it out")
            if key == "unaffected" and name in (entry.policies or []):
                raise where.wrong(f"'{name}' is among the policies that run again; name it once")


def runs_under(
    name: str,
    entry: ReadingEntry,
    draws: int | None,
    own: Runs,
    headline: Reading,
    changed: Mapping[str, StudyPolicy | None],
) -> Under:
    """Return the runs of a reading, in place of the headline's cells."""
    under, run = Under(), set(own.cells)
    under.renamed.update({policy: f"{policy}-{name}" if policy in changed else policy for policy in own.policies})
    for workload, policy in headline.cells:
        source, stand_in = entry.stands_for.get(workload, workload), under.renamed[policy]
        if (source, stand_in) == (workload, policy):
            under.cells[workload, policy] = workload, policy
            continue
        run_as = changed.get(policy, own.policies[policy])
        if run_as is None or (source, policy) not in run or (entry.on is not None and workload not in entry.on):
            continue
        drawn, definition = first_draws(source, own.workloads[source], draws)
        under.cells[workload, policy] = drawn, stand_in
        under.workloads[drawn], under.policies[stand_in] = definition, run_as
    return under


def add_runs(place: Place, every: Runs, under: Under) -> None:
    """Add the runs of a reading to all runs."""
    added: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("workload", every.workloads, under.workloads),
        ("policy", every.policies, under.policies),
    )
    for kind, known, more in added:
        for identifier, value in more.items():
            if known.setdefault(identifier, value) != value:
                raise place.wrong(f"the study has a {kind} '{identifier}' already; give the reading another id")
    present = set(every.cells)
    every.cells.extend(cell for cell in dict.fromkeys(under.cells.values()) if cell not in present)


def make_reading(name: str, entry: ReadingEntry, draws: int | None, under: Under, headline: Reading) -> Reading:
    """Return a reading with its replacements of the study's workloads and policies."""
    drawn = {workload: cell[0] for (workload, _), cell in under.cells.items() if workload in entry.stands_for}
    run = {policy for _, policy in under.cells}
    return Reading(
        reading=name,
        label=entry.label,
        follows=entry.follows,
        choices=entry.choices,
        draws=draws,
        workloads={
            own: drawn.get(own, own) for own in headline.workloads if own in drawn or own not in entry.stands_for
        },
        policies={own: other for own, other in under.renamed.items() if own in run},
        cells=under.cells,
        metrics=entry.metrics,
        second_headline=entry.second_headline,
    )


def first_draws(name: str, definition: Definition, draws: int | None) -> tuple[str, Definition]:
    """Return id and definition of a workload's first draws, with the same jobs; the workload itself if it has no more draws."""
    written = definition.written
    if draws is None or draws >= written.get("replications", 1):
        return name, definition
    label = f"{definition.label}, {'first draw' if draws == 1 else f'first {draws} draws'}"
    kept = {key: value for key, value in written.items() if key not in ("variant", "variant_of")}
    return f"{name}-draws-{draws}", read_definition({**kept, "replications": draws, "draws_of": name, "label": label})
