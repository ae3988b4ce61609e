"""`slotwise check DIR`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from slotwise.cli.accounting import add_verbose, show_accounting
from slotwise.cli.words import a_count, a_path
from slotwise.cli.workloads import add_begin, add_companions, load_workload, on_clusters_of, with_companions

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

ILLEGAL = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="DIR", help="folder of a finished run")
    parser.add_argument(
        "--workload",
        type=a_path,
        metavar="W",
        help="the workload (.parquet) or log the run was made of; with it, jobs that were removed or moved are found too, and "
        "jobs that shared processors, workflows, and what tasks do inside a time slice (Concurrent Gang) cannot be checked "
        "without it; for a log, with all options of `slotwise simulate` that made it",
    )
    parser.add_argument("--procs", type=a_count, metavar="N", help="for a log: as it was given to `slotwise simulate`")
    parser.add_argument("--first", type=a_count, metavar="N", help="likewise")
    add_begin(parser)
    add_companions(parser)
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check every replication of a run; exit code 1 when one is illegal."""
    from scheduler_core.runs.folder import check_run, other_workloads, read_run, title_of

    finished = read_run(arguments.run)
    given = None if arguments.workload is None else replications_of(arguments)
    if given:
        show_accounting(given[0], arguments.verbose)
        others = other_workloads(finished, given, arguments.workload.name)
        for words in others:
            print(words)
        if others:
            print(
                "give the workload or log with all options of `slotwise simulate` that made the run (such as --seed, --begin, "
                "--first); rules that are broken below may be so for want of them"
            )
    certificates = check_run(finished, given)
    for number, certificate in enumerate(certificates):
        where = f"replication {number}: " if len(certificates) > 1 else ""
        print(f"{arguments.run}: {title_of(finished.note)}: {where}{certificate.describe()}")
    return 0 if all(certificate.legal for certificate in certificates) else ILLEGAL


def replications_of(arguments: argparse.Namespace) -> list[Workload]:
    """Read all replications of the workload a run was made of; a log has one, read as it was for the run."""
    from scheduler_core.contracts import read_replications

    path = arguments.workload
    if path.suffix != ".parquet" or arguments.procs or arguments.first or arguments.begin:
        return [load_workload(path, arguments)]
    read = [on_clusters_of(one, arguments) for one in read_replications(path)]
    return [with_companions(one, arguments, number) for number, one in enumerate(read)]
