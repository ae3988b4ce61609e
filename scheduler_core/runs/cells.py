"""Cells of a study: all replications of a workload under a policy, simulated, checked and written as one run.

A run's folder holds ``made_from.json``: the inputs of the run, and the digests of its files. A restarted batch runs only the
cells whose inputs or files differ. So an edited policy reruns its own cells, and a killed batch its unfinished ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, PolicyError, SlotwiseError
from scheduler_core.common.files import read_json, remove_folder, sha256_of, write_json
from scheduler_core.declarations.policy import OWN_MODULES, get_policy, rebuild
from scheduler_core.runs.folder import versions
from scheduler_core.runs.simulation import run_replications

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

MADE_FROM = "made_from.json"
"""The inputs of a run; written last, so that a folder with this file is complete."""

WALL_TIMES = "timing.json"
"""The one file of a run that differs between equal runs."""


@dataclass(frozen=True)
class Cell:
    """A workload under a policy, by their ids in the study, which name the run's folder."""

    workload: str
    policy: str
    uses: str  # the name of the policy, or of a preset, or `own`
    parameters: Mapping[str, Any]  # those that differ from what ``uses`` implies
    sources: str  # digest of the modules that simulate, check and write the run


def run_cells(root: Path | str, cells: Iterable[Cell]) -> dict[Path, str | None]:
    """Run the cells of a batch that are not done; return the digest of each file of all their runs.

    ``root``, the folder of a scale, holds ``workloads/``; each run goes to ``runs/<workload>/<policy>/``. A workload is read once
    if its cells stand together. Raise :class:`SlotwiseError` with the text of each failure, after all other cells have run.
    """
    failed: list[SlotwiseError] = []
    files: dict[Path, str | None] = {}
    source = Source(Path(root) / "workloads")
    for cell in cells:
        run = Path(root) / "runs" / cell.workload / cell.policy
        source.turn_to(cell.workload)
        inputs = inputs_of(cell, source.digest)
        done = is_done(run, inputs)
        if not done:
            try:
                run_cell(cell, source, run)
            except SlotwiseError as error:
                failed.append(error)
                continue
            write_json(run / MADE_FROM, {**inputs, "files": digests_of(run)})
        print(f"{cell.workload} under {cell.policy}: {'as before' if done else 'run'}", flush=True)
        files.update({run / name: digest for name, digest in read_json(run / MADE_FROM)["files"].items()})
    if failed:
        raise type(failed[0])("\n".join(map(str, failed)))
    return files


class Source:
    """The current workload: its file, the digest of its bytes, and its replications, read on first access."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = ""

    def turn_to(self, name: str) -> None:
        """Make a workload the current one."""
        if name != self.name:
            self.name = name
            self.path = self.folder / f"{name}.parquet"
            self.digest = sha256_of(self.path)
            self._replications: list[Workload] | None = None

    @property
    def replications(self) -> list[Workload]:
        """The replications of the current workload."""
        if self._replications is None:
            from scheduler_core.contracts import read_replications

            self._replications = read_replications(self.path)
        return self._replications


def inputs_of(cell: Cell, workload_digest: str) -> dict[str, Any]:
    """Return the inputs of a run. Equal inputs give equal runs."""
    return {
        "workload": workload_digest,
        "policy": cell.uses,
        "parameters": dict(cell.parameters),
        "sources": cell.sources,
        "versions": dict(versions()),
    }


def is_done(run: Path, inputs: Mapping[str, Any]) -> bool:
    """Return whether a folder holds the run with these inputs, and every file unchanged."""
    try:
        return bool(read_json(run / MADE_FROM) == {**inputs, "files": digests_of(run)})
    except (ContractError, FileNotFoundError):
        return False


def digests_of(run: Path) -> dict[str, str | None]:
    """Return the digest of each file of a run, by name; ``None`` for wall times, which differ between equal runs."""
    files = [file for file in sorted(run.iterdir()) if file.name != MADE_FROM]
    return {file.name: None if file.name == WALL_TIMES else sha256_of(file) for file in files}


def run_cell(cell: Cell, source: Source, run: Path) -> None:
    """Simulate and check a cell, and write its run into an empty folder.

    Notes about what the run will lack come first, on standard error too, because a job keeps standard output in its log.
    """
    remove_folder(run)
    if cell.uses in OWN_MODULES:
        policy = rebuild({"name": cell.uses, "parameters": cell.parameters})
    else:
        policy = get_policy(cell.uses, **cell.parameters)
    for words in dict.fromkeys(words for one in source.replications for words in policy.notes(one)):
        for stream in (sys.stdout, sys.stderr):
            print(f"NOTE: {cell.workload} under {cell.policy}: {words}", file=stream, flush=True)
    try:
        run_replications(source.replications, policy, run, cell.workload)
    except PolicyError as error:
        raise PolicyError(f"{cell.workload} under {cell.policy}: {error}") from error
