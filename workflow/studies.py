"""Studies: what to run, as data. This module reads, checks and expands them into workloads, policies and cells.

A study is checked whole before any job starts. Every message names the file, the dotted key and, for a misspelt word, the
nearest known one. Snakemake reads this module at every start, so it imports nothing heavy.
"""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from reports.figures.names import figure_names
from reports.ledger.claim_checks import Claim, validate_claims
from reports.ledger.sentences import Sentences, read_sentences
from scheduler_core.common.errors import SlotwiseError, nearest
from traces.definition import Definition
from workflow.checks import Place
from workflow.policies import StudyPolicy, read_policies
from workflow.readings import Reading, Runs, expand_readings
from workflow.study_file import OVERRIDING_SCALES, StudyFile
from workflow.study_page import check_page
from workflow.workloads import Cell, check_cells, check_jobs_of, expand_workload
from workflow.yaml_files import read_yaml

SCALES = ("full", *OVERRIDING_SCALES)
"""The scales of a study: as written, and those at which an entry may differ."""


@dataclass(frozen=True)
class WrittenStudy:
    """A study file at ``place``, read and checked, with all that does not depend on the scale.

    ``file`` has its keys. ``claims`` has those of the study file, then those of its files of claims. ``sentences`` are the
    testable sentences of its source (:mod:`reports.ledger.sentences`). ``measures`` has ``path`` and ``sql`` of the queries that
    claims, answer and numbers name, by name (:mod:`reports.ledger.measures`). ``printed`` is its file of printed values.
    ``data_files`` are the files of claims, printed values and sentences.
    """

    file: StudyFile
    place: Place
    claims: list[Claim]
    sentences: Sentences | None
    measures: dict[str, dict[str, str]]
    printed: Path | None
    data_files: list[str]

    @property
    def name(self) -> str:
        """The id of the study."""
        return self.file.study

    @property
    def path(self) -> str:
        """The study file."""
        return str(self.place.path)

    def at(self, scale: str) -> "Study":
        """Expand the study for one of :data:`SCALES`; raise :class:`StudyError` for the first error in what the scale changes."""
        place, file = self.place, self.file
        policies = read_policies(place / "policies", file.policies, scale)
        workloads, cells = expand_workloads(place / "workloads", file, scale, list(policies))
        readings, every = expand_readings(place / "readings", file.readings, scale, Runs(workloads, policies, cells))
        check_cells(place / "workloads", every.cells, every.workloads, every.policies)
        values = read_printed(self.printed, list(policies), list(workloads) if scale == "full" else None)
        return Study(**vars(self), scale=scale, **vars(every), readings=readings, printed_values=values)


@dataclass(frozen=True)
class Study(WrittenStudy):
    """A study at one of :data:`SCALES`.

    Workloads, policies and cells (what to run) are in the order of the study, those of readings last; ``readings`` begins with
    the headline. ``printed_values`` are the numbers that its sources print (:mod:`reports.measure.printed`).
    """

    scale: str
    workloads: dict[str, Definition]
    policies: dict[str, StudyPolicy]
    cells: list[Cell]
    readings: list[Reading]
    printed_values: list[tuple[Any, ...]]


def read_study(path: Path | str, scale: str = "full") -> Study:
    """Read, check and expand a study file for a scale, one of :data:`SCALES`; see :func:`read_written`."""
    return read_written(path).at(scale)


def read_written(path: Path | str) -> WrittenStudy:
    """Read and check a study file; its folder's name is the study's id.

    Raise :class:`StudyError` for the first error; the text names file, key and nearest known name.
    """
    place = Place(path)
    file = place.read(StudyFile, read_yaml(path))
    folder = Path(path).resolve().parent.name
    if file.study != folder:
        raise (place / "study").wrong(f"must be '{folder}', the name of its folder; found '{file.study}'")
    claim_files = [find_file(place / "claims_from", name, "claims*.yaml") for name in file.claims_from or []]
    listed = Path(path).with_name("sentences.yaml")
    sentences = read_yaml(listed) if listed.is_file() else None
    claims = read_claims(place, file, claim_files, sentences)
    printed = find_file(place / "printed_values", file.printed_values, "*.csv") if file.printed_values else None
    check_page(place, file, [claim.id for claim in claims], cache(partial(figure_names, Path(path).parent)))
    measures = find_measures(place, file, claims)
    own = [*claim_files, *([printed] if printed else []), *([listed] if listed.is_file() else [])]
    words = {claim.id: claim.sentence for claim in claims}
    checked = read_sentences(sentences, words, str(listed)) if listed.is_file() else None
    return WrittenStudy(file, place, claims, checked, measures, printed, [str(found) for found in own])


def expand_workloads(
    place: Place, file: StudyFile, scale: str, policies: list[str]
) -> tuple[dict[str, Definition], list[Cell]]:
    """Expand the workloads of a study for a scale, with the cells to run."""
    workloads: dict[str, Definition] = {}
    cells: list[Cell] = []
    for identifier, entry in file.workloads.items():
        for workload, definition, chosen in expand_workload(place / identifier, identifier, entry, scale, policies):
            if workload in workloads:
                raise (place / identifier).wrong(
                    f"duplicate: the workload id '{workload}' comes from two entries of this study"
                )
            workloads[workload] = definition
            cells += [(workload, policy) for policy in chosen]
    check_jobs_of(place, file.workloads, scale)
    return workloads, cells


def find_file(place: Place, name: str, pattern: str) -> Path:
    """Return a file that a study names, in the study's folder; ``pattern`` matches the files to suggest."""
    folder = Path(place.path).parent
    if not (folder / name).is_file():
        known = [str(file.relative_to(folder)) for file in sorted(folder.glob(pattern))]
        raise place.wrong(f"there is no file '{name}'; {nearest(name, known) if known else f'expected in {folder}'}")
    return folder / name


def read_printed(path: Path | None, policies: list[str], workloads: list[str] | None) -> list[tuple[Any, ...]]:
    """Return the printed values of a study, if it names a file of them."""
    from reports.measure.printed import read_printed_values

    return [] if path is None else read_printed_values(path, policies, workloads)


def read_claims(place: Place, study: StudyFile, files: list[Path], sentences: Any) -> list[Claim]:
    """Return the claims of a study file, then those of its files; ids and headlines are unique across them.

    A claim without a citation cites the source of ``sentences``, the file of sentences as it is read.
    """
    source = sentences.get("source") if isinstance(sentences, dict) else None
    for file in files:
        if files.count(file) > 1:
            raise (place / "claims_from").wrong(f"duplicate: '{file.name}' is listed twice")
    parts = [(place / "claims", study.claims), *((Place(file), read_yaml(file)) for file in files)]
    first: dict[tuple[str, str], Path | str] = {}
    found: list[Claim] = []
    for where, written in parts:
        try:
            claims = validate_claims(study.study, written or [], source, study.fitted)
        except SlotwiseError as error:
            raise where.wrong(error) from error
        for claim in claims:
            for word, value in (("id", claim.id), ("headline", claim.headline)):
                other = first.setdefault((word, value), where.path)
                if other != where.path:
                    raise where.wrong(f"duplicate: the {word} '{value}' is taken by a claim in {other}")
        found += claims
    return found


def find_measures(place: Place, study: StudyFile, claims: list[Claim]) -> dict[str, dict[str, str]]:
    """Return the measures that claims, answer and numbers name, with their parameters checked."""
    from reports.ledger.measures import measured_by, read_measures

    try:
        return read_measures(Path(place.path), measured_by(study.page, [claim.written for claim in claims]))
    except SlotwiseError as error:
        raise place.wrong(error) from error
