"""The plan of a run of the pipeline: the studies of a configuration, merged, and the inputs of each rule.

Rules ask a :class:`Plan` for the scale of a job (:meth:`Plan.scale`) and for the files that modules reach (:meth:`Plan.sources`).
Studies that share a workload and a policy, under the same ids, share the run.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.files import write_text
from scheduler_core.common.sources import closure, digest
from scheduler_core.declarations.families import families
from scheduler_core.declarations.policy import families_within, kernel_modules, policies_by_family
from scheduler_core.declarations.written import parse
from traces.definition import Definition
from workflow.batches import CellBatch, WorkloadBatch, batch_cells, batch_workloads
from workflow.checks import Place
from workflow.logs import local_file, log_id
from workflow.policies import StudyPolicy
from workflow.readings import Reading
from workflow.studies import Study, WrittenStudy, read_written
from workflow.study_file import Configuration

ROOTS = {"small": "results", "full": "results/full", "quick": "results/quick", "paper": "results/paper"}
"""The folder of the results of each scale."""

HELD = Path(".snakemake/claims_held")
"""File with the digest of the claims last tried on an empty store, their measures, and the modules that try them."""


@dataclass(frozen=True)
class Scale:
    """Everything that is run at one scale: its studies, and their workloads and policies, merged."""

    name: str
    root: str
    studies: dict[str, Study]
    workloads: dict[str, Definition] = field(default_factory=dict)
    policies: dict[str, StudyPolicy] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)

    @cached_property
    def cells(self) -> list[tuple[str, str]]:
        """Pairs (workload, policy), each once, in the order of the studies."""
        return list(dict.fromkeys(cell for study in self.studies.values() for cell in study.cells))

    @cached_property
    def cell_batches(self) -> dict[str, CellBatch]:
        """The cells in batches, by name."""
        return batch_cells(self.cells, self.workloads, self.policies)

    @cached_property
    def workload_batches(self) -> dict[str, WorkloadBatch]:
        """The workloads in batches, by name."""
        return batch_workloads(self.workloads, self.seeds)

    @cached_property
    def batch_of(self) -> dict[str, str]:
        """The name of each workload's batch."""
        return {workload: name for name, batch in self.workload_batches.items() for workload in batch.workloads}

    def batches_of(self, cells: CellBatch) -> list[str]:
        """Return the names of the batches that make the workloads of some cells."""
        return list(dict.fromkeys(self.batch_of[workload] for workload in cells.workloads))

    @cached_property
    def logs(self) -> dict[str, str]:
        """The logs, also those that models are fitted to: id -> the name or path that the study gives."""
        written = [definition.log_name for definition in self.workloads.values()]
        return {log_id(name): name for name in written if name is not None}

    @property
    def drawn_families(self) -> list[str]:
        """The families whose diagrams show the cells."""
        known = families()
        return list(dict.fromkeys(known[one.family].drawn_with or one.family for one in self.cell_batches.values()))

    @property
    def locations(self) -> list[str]:
        """The notes that say where the logs are."""
        return [f"{self.root}/logs/{log}.json" for log in self.logs]

    @property
    def stamps(self) -> list[str]:
        """The stamps of all batches."""
        kinds = (("workloads", self.workload_batches), ("runs", self.cell_batches))
        return [f"{self.root}/stamps/{kind}/{batch}.json" for kind, batches in kinds for batch in batches]

    @cached_property
    def described(self) -> list[dict[str, Any]]:
        """The studies as plain data, for the store."""
        return [describe_study(study) for study in self.studies.values()]

    @cached_property
    def study_files(self) -> dict[str, list[str]]:
        """The file of each study, and its files of claims, printed values and sentences."""
        return {name: [study.path, *study.data_files] for name, study in self.studies.items()}


def merge_studies(name: str, root: str, studies: Iterable[Study]) -> Scale:
    """Merge studies; raise :class:`StudyError` when two studies define an id differently."""
    scale = Scale(name, root, {study.name: study for study in studies})
    first: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for study in scale.studies.values():
        described = {
            "workloads": {name: {**entry.written, "seed": study.file.seed} for name, entry in study.workloads.items()},
            "policies": {name: policy.described() for name, policy in study.policies.items()},
        }
        for kind, entries in described.items():
            for name, entry in entries.items():
                other, theirs = first.setdefault((kind, name), (study.path, entry))
                if theirs != entry:
                    raise (Place(study.path, kind) / name).wrong(
                        f"is not what {other} calls '{name}' ({differences(theirs, entry)}); "
                        "give one of the two another id"
                    )
        scale.workloads.update(study.workloads)
        scale.policies.update(study.policies)
        scale.seeds.update(dict.fromkeys(study.workloads, study.file.seed))
    return scale


def differences(first: dict[str, Any], second: dict[str, Any]) -> str:
    """Return the keys in which two definitions differ, with both values."""
    keys = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    return "; ".join(f"{key}: {first.get(key)!r} there, {second.get(key)!r} here" for key in keys)


def pattern(names: Iterable[str]) -> str:
    """Return a regular expression that matches exactly these names, for a wildcard."""
    return "|".join(re.escape(name) for name in sorted(set(names))) or "(?!)"


class Scales(Mapping[str, Scale]):
    """The scales by the folder of their results. A scale is expanded when it is first asked for; most runs need only one."""

    def __init__(self, studies: Sequence[WrittenStudy]) -> None:
        self.studies = studies
        self.expanded: dict[str, Scale] = {}

    def __getitem__(self, root: str) -> Scale:
        """Return the scale whose results are in a folder."""
        if root not in self.expanded:
            name = next((name for name, folder in ROOTS.items() if folder == root), None)
            if name is None:
                raise KeyError(root)
            self.expanded[root] = merge_studies(name, root, [study.at(name) for study in self.studies])
        return self.expanded[root]

    def __iter__(self) -> Iterator[str]:
        """Yield the folders of the scales."""
        return iter(ROOTS.values())

    def __len__(self) -> int:
        """Count the scales."""
        return len(ROOTS)


class Plan:
    """The studies of a configuration at every scale, and the input functions of rules.

    ``project`` is the folder of the Snakefile and the packages; ``folder`` has a folder with a ``study.yaml`` for each study.
    Raise :class:`StudyError` for any error in a study or the configuration, before a job starts. Errors in what only some scales
    say are found when such a scale is asked for.
    """

    def __init__(self, config: dict[str, Any], project: Path | str, folder: Path | str = "studies") -> None:
        self.project = Path(project)
        self.folder = Path(folder)
        chosen = parse(Configuration, dict(config), "config")
        self.require_logs = chosen.require_logs
        read = [read_written(path) for path in study_paths(chosen.studies, self.folder)]
        written = sorted(read, key=lambda study: (study.file.position, study.name))
        self.scales = Scales(written)
        self.studies = [study.name for study in written]

    @cached_property
    def wildcards(self) -> dict[str, str]:
        """The regular expression of each wildcard. Ids of logs and batches are unknown until their scale is expanded."""
        return {
            "root": pattern(self.scales),
            "study": pattern(self.studies),
            "family": pattern(families()),
            "log": r"[^/]+",
            "batch": r"[^/]+",
        }

    def try_claims(self) -> None:
        """Try the SQL of all claims on an empty store, unless it worked before; raise :class:`StudyError` when it fails."""
        told = [describe_claims(study) for study in self.scales.studies]
        modules = [
            *closure("reports.ledger.prepare"),
            *sorted(self.project.glob("reports/measure/sql/*.sql")),
            *sorted(self.project.glob("reports/families/*/*.sql")),
        ]
        asked = f"{digest(modules)} {hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()}\n"
        if HELD.is_file() and HELD.read_text(encoding="utf-8") == asked:
            return
        from reports.ledger.prepare import try_measures

        try_measures(told)
        write_text(HELD, asked)

    # Input functions of rules; `wildcards` are those of a job.

    def scale(self, wildcards: Any) -> Scale:
        """Return the scale of a job."""
        return self.scales[wildcards.root]

    def cells(self, wildcards: Any) -> CellBatch:
        """Return the batch of cells of a job."""
        return self.scale(wildcards).cell_batches[wildcards.batch]

    def workloads(self, wildcards: Any) -> WorkloadBatch:
        """Return the batch of workloads of a job."""
        return self.scale(wildcards).workload_batches[wildcards.batch]

    def log_file(self, wildcards: Any) -> list[str]:
        """List the file of a log, if it is here, so that Snakemake notices a file that arrives later."""
        found = local_file(self.scale(wildcards).logs[wildcards.log])
        return [self.relative(found)] if found else []

    def kernels(self, wildcards: Any) -> list[str]:
        """List what the machine code of a family depends on: modules, and the stamps of the families within it."""
        modules = closure(*kernel_modules(policies_by_family()[wildcards.family]))
        stamps = [f"results/kernels/{family}.json" for family in families_within(wildcards.family)]
        return [*map(self.relative, modules), *stamps]

    def compiled(self, wildcards: Any) -> list[str]:
        """List the stamp of the compiled event loops of a batch's family; none if its policies are all the user's own."""
        family = self.cells(wildcards).family
        return [f"results/kernels/{family}.json"] if family in policies_by_family() else []

    def sources(self, *wanted: str | Path) -> list[str]:
        """List the files that some modules reach by imports, so that Snakemake notices an edit.

        ``wanted`` are dotted names of modules, paths of Python files, or patterns of files within the project. Patterns serve
        modules that programs find by scanning a folder, whose imports are followed too, and files that are not imported (SQL,
        templates).
        """
        patterns = [text for text in wanted if isinstance(text, str) and "/" in text]
        found = [path for text in patterns for path in sorted(self.project.glob(text))]
        modules = [one for one in wanted if one not in patterns] + [path for path in found if path.suffix == ".py"]
        # Python writes bytecode while the pipeline runs; as an input, it would look like an edit.
        others = [path for path in found if path.suffix not in (".py", ".pyc") and path.is_file()]
        return [self.relative(path) for path in [*closure(*modules), *others]]

    def figure_sources(self, wildcards: Any) -> list[str]:
        """List the files that the figures of a study depend on: its own modules and the general figures."""
        own = Path(self.study_folder(wildcards))
        modules = sorted(own.glob("figures*.py"))
        queries = [self.relative(path) for path in sorted(own.glob("figures/*.sql"))]
        return queries + self.sources(
            "reports.figures.study",
            *modules,
            "reports/figures/general/*.py",
            "reports/figures/sql/*.sql",
            "scheduler_core/*/family.py",
        )

    def study_folder(self, wildcards: Any) -> str:
        """Return the folder of a study."""
        return str(Path(self.scale(wildcards).studies[wildcards.study].path).parent)

    def relative(self, path: Path) -> str:
        """Return a path relative to the working folder for a file inside it, so that a project can be moved."""
        here = Path.cwd()
        return str(path.relative_to(here) if path.is_relative_to(here) else path)


def study_paths(chosen: list[str] | None, folder: Path) -> list[Path]:
    """Return the files of the chosen studies, by default of all in a folder; refuse repeated and unknown names."""
    known = [path.parent.name for path in sorted(folder.glob("*/study.yaml"))]
    names = known if chosen is None else chosen
    if not names:
        raise StudyError(f"config: studies: expected a list of names of folders in {folder}; found {chosen!r}")
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"config: studies: duplicate: '{name}' is listed twice")
        if name not in known:
            hint = nearest(name, known) if known else f"{folder} holds no study"
            raise StudyError(f"config: studies: there is no study '{name}' ({folder / name / 'study.yaml'}); {hint}")
    return [folder / name / "study.yaml" for name in names]


def describe_study(study: Study) -> dict[str, Any]:
    """Return a study as plain data. ``shown`` leaves out the runs of other readings and of reference policies."""
    headline = study.readings[0].cells
    shown = [list(cell) for cell in study.cells if cell in headline and not study.policies[cell[1]].reference]
    return {
        **describe_claims(study),
        "scale": study.scale,
        "title": study.file.title,
        "question": study.file.question,
        "seed": study.file.seed,
        "versus": study.file.versus,
        "fair": study.file.fair,
        "colours": study.file.colours or {},
        "figures": study.file.figures,
        "pictured": study.file.pictured or [],
        "workloads": {name: definition.written for name, definition in study.workloads.items()},
        "policies": {name: policy.described() for name, policy in study.policies.items()},
        "cells": [list(cell) for cell in study.cells],
        "shown": shown,
        "readings": [describe_reading(reading, study) for reading in study.readings],
        "printed_values": study.printed_values,
        "sentences": study.sentences.written if study.sentences else None,
    }


def describe_claims(study: WrittenStudy) -> dict[str, Any]:
    """Return what a study judges as plain data: its claims, its page, and the measures of both."""
    claims = [claim.written for claim in study.claims]
    return {"study": study.name, "measures": study.measures, "page": study.file.page, "claims": claims}


def describe_reading(reading: Reading, study: Study) -> dict[str, Any]:
    """Return a reading of a study as plain data, for :mod:`reports.measure.readings`."""
    cells = [[*own, *cell] for own, cell in reading.cells.items()]
    return {
        **vars(reading),
        "follows": reading.follows.strip(),
        "headline": reading is study.readings[0],
        "cells": cells,
    }
