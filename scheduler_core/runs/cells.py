"""Cells of a study: every replication of a workload under a policy, simulated, checked and written as one run.

Cells are run in batches, so that a process is worth its start. What a finished cell was made from is kept beside its run, and
a batch that is started again runs only the cells for which that has changed: an edited policy costs its own cells, a
killed batch the cells it had not finished.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.files import read_json, remove_folder, replacing, write_json
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import PACKAGES
from scheduler_core.runs.simulation import run_replications

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

MADE_FROM = "made_from.json"
"""What a kept run was made from; written last, so that a folder that has it is whole."""


@dataclass(frozen=True)
class Cell:
    """A workload under a policy.

    Attributes
    ----------
    workload, policy
        Their ids in the study; they name the folder of the run.
    uses, parameters
        The word the policy is asked for by (its name or a preset's), and those of its parameters that the study sets otherwise.
    sources
        Digest of the modules that make, check and write the run.
    """

    workload: str
    policy: str
    uses: str
    parameters: Mapping[str, Any]
    sources: str


def run_cells(root: Path | str, cells: Iterable[Cell]) -> None:
    """Run the cells of a batch that are not done, and put the runs of all of them in place.

    Parameters
    ----------
    root
        Folder of a scale: workloads are read from ``workloads/``, runs are written to ``runs/<workload>/<policy>/``. What is
        done is kept in ``kept/``, whose files are the same as those of ``runs/`` (hard links, where the file system has them),
        because the graph removes what a job is to make before it starts the job.
    cells
        The cells, those of one workload side by side, so that it is read once.

    Raises
    ------
    SlotwiseError
        When cells fail, with the text of each, after all others have been run.
    """
    failed: list[SlotwiseError] = []
    source = Source(Path(root) / "workloads")
    for cell in cells:
        kept = Path(root) / "kept" / cell.workload / cell.policy
        source.turn_to(cell.workload)
        made_from = inputs_of(cell, source.digest)
        done = is_done(kept, made_from)
        if not done:
            try:
                run_anew(cell, source, kept)
            except SlotwiseError as error:
                failed.append(error)
                continue
            write_json(kept / MADE_FROM, made_from)
        put_in_place(kept, Path(root) / "runs" / cell.workload / cell.policy)
        print(f"{cell.workload} under {cell.policy}: {'as before' if done else 'run'}", flush=True)
    if failed:
        raise type(failed[0])("\n".join(map(str, failed)))


class Source:
    """The workload at hand: its file, the digest of its bytes, and its replications, read when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = ""

    def turn_to(self, name: str) -> None:
        """Take up a workload, unless it is at hand."""
        if name != self.name:
            self.name = name
            self.path = self.folder / f"{name}.parquet"
            self.digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
            self._replications: list[Workload] | None = None

    @property
    def replications(self) -> list[Workload]:
        """The replications of the workload."""
        if self._replications is None:
            from scheduler_core.contracts import read_replications

            self._replications = read_replications(self.path)
        return self._replications


def inputs_of(cell: Cell, workload_digest: str) -> dict[str, Any]:
    """Say what a run is made from; equal inputs give equal runs."""
    return {
        "workload": workload_digest,
        "policy": cell.uses,
        "parameters": dict(cell.parameters),
        "sources": cell.sources,
        "versions": {package: version(package) for package in PACKAGES},
    }


def is_done(kept: Path, made_from: Mapping[str, Any]) -> bool:
    """Say whether a folder holds the run that some inputs give."""
    return (kept / MADE_FROM).is_file() and read_json(kept / MADE_FROM) == made_from


def run_anew(cell: Cell, source: Source, out: Path) -> None:
    """Simulate, check and write a cell; the folder is no longer done while this goes on.

    What its runs will lack is said first, on standard error too: a job of the graph keeps standard output in its log.
    """
    remove_folder(out)
    policy = get_policy(cell.uses, **cell.parameters)
    for words in dict.fromkeys(words for one in source.replications for words in policy.notes(one)):
        for stream in (sys.stdout, sys.stderr):
            print(f"NOTE: {cell.workload} under {cell.policy}: {words}", file=stream, flush=True)
    run_replications(source.replications, policy, out, cell.workload)


def put_in_place(kept: Path, run: Path) -> None:
    """Make the files of a run those that are kept, as new as if they had been made now."""
    for file in sorted(kept.iterdir()):
        if file.name == MADE_FROM:
            continue
        with replacing(run / file.name) as temporary:
            try:
                os.link(file, temporary)
            except OSError:  # a file system without hard links
                shutil.copyfile(file, temporary)
            os.utime(temporary)
