"""Stamps: the files that batches declare to Snakemake in place of their results.

Snakemake deletes the declared outputs of a job before it starts the job. Runs must survive that, because a batch reuses those
whose inputs have not changed. So a batch declares only its stamp, which lists every file of the batch with its digest.
"""

from collections.abc import Mapping
from pathlib import Path

from scheduler_core.common.errors import ContractError
from scheduler_core.common.files import read_json, remove, write_json


def write_stamp(stamp: Path | str, files: Mapping[Path, str | None]) -> None:
    """Write the stamp of a batch, after all its files."""
    write_json(stamp, {str(file): digest for file, digest in files.items()})


def withdraw_stamps(root: Path | str) -> list[Path]:
    """Remove and return the stamps below a folder that no longer hold, so that their batches run again."""
    withdrawn = [stamp for stamp in sorted(Path(root).glob("stamps/*/*.json")) if not holds(stamp)]
    for stamp in withdrawn:
        remove(stamp)
    return withdrawn


def holds(stamp: Path) -> bool:
    """Return whether every file of a stamp exists and none is newer than the stamp."""
    written = stamp.stat().st_mtime_ns
    try:
        return all(Path(file).stat().st_mtime_ns <= written for file in read_json(stamp))
    except (ContractError, OSError):
        return False
