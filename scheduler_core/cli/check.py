"""`slotwise check DIR`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scheduler_core.cli.words import a_path, load_workload

if TYPE_CHECKING:
    from pathlib import Path

    from scheduler_core.contracts import Workload

ILLEGAL = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="DIR", help="folder of a finished run")
    parser.add_argument(
        "--workload",
        type=a_path,
        metavar="W",
        help="the workload (.parquet) or log the run was made of; with it, jobs that were removed or moved are found too",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check every replication of a run; exit code 1 when one is illegal."""
    from scheduler_core.runs import check_run, read_run, title_of

    finished = read_run(arguments.run)
    given = None if arguments.workload is None else replications_of(arguments.workload)
    certificates = check_run(finished, given)
    for number, certificate in enumerate(certificates):
        where = f"replication {number}: " if len(certificates) > 1 else ""
        print(f"{arguments.run}: {title_of(finished.note)}: {where}{certificate.describe()}")
    return 0 if all(certificate.legal for certificate in certificates) else ILLEGAL


def replications_of(path: Path) -> list[Workload]:
    """Read all replications of a workload; a log has one."""
    from scheduler_core.contracts import read_replications

    return read_replications(path) if path.suffix == ".parquet" else [load_workload(path, None, None)]
