"""`slotwise check DIR`."""

from __future__ import annotations

import argparse
from pathlib import Path

ILLEGAL = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=Path, metavar="DIR", help="folder of a finished run")


def run(arguments: argparse.Namespace) -> int:
    """Check every replication of a run; exit code 1 when one is illegal."""
    from scheduler_core.checker import check
    from scheduler_core.runs import read_run, title_of

    finished = read_run(arguments.run)
    code = 0
    for number, pair in enumerate(zip(finished.workloads, finished.schedules, strict=True)):
        certificate = check(*pair)
        where = f"replication {number}: " if len(finished.schedules) > 1 else ""
        print(f"{arguments.run}: {title_of(finished.note)}: {where}{certificate.describe()}")
        code = code if certificate.legal else ILLEGAL
    return code
