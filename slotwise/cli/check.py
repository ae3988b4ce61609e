"""`slotwise check DIR`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from slotwise.cli.accounting import add_verbose, show_accounting
from slotwise.cli.changes import add_changes, add_machine, add_selection
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.words import FAILED, a_path, tell
from slotwise.cli.workloads import add_companions, as_asked, load_workload

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="DIR", help="folder of a finished run")
    parser.add_argument(
        "--workload",
        type=a_path,
        metavar="W",
        help="workload (.parquet) or log that the run was made of. It reveals jobs that were removed or moved. Shared "
        "processors, workflows and tasks inside a time slice (Concurrent Gang) cannot be checked without it. For a log, "
        "repeat all options of `slotwise simulate`",
    )
    parser.add_argument(
        "--replay",
        action="store_true",
        help="also run the policy again with its recorded parameters, and compare every table and counter byte for byte",
    )
    add_machine(parser, "for a log, what `slotwise simulate` was given", "--processors")
    add_selection(parser)
    add_changes(parser)
    add_companions(parser)
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check every replication of a run; exit code 1 when one is illegal, or its replay differs."""
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
                "--first); without them, rules may appear broken below"
            )
    if arguments.replay:
        from scheduler_core.runs.replay import replay_run

        tell_of_compiling()
        certificates = replay_run(finished, given)
    else:
        certificates = check_run(finished, given)
    for number, certificate in enumerate(certificates):
        where = f"replication {number}: " if len(certificates) > 1 else ""
        tell(f"{arguments.run}: {title_of(finished.note)}: {where}{certificate.describe()}")
    as_stated = all(one.legal and (one.replay is None or one.replay.same) for one in certificates)
    return 0 if as_stated else FAILED


def replications_of(arguments: argparse.Namespace) -> list[Workload]:
    """Return all replications of the workload that a run was made of; a log has one, read with the options of the run."""
    from scheduler_core.contracts import read_replications

    path = arguments.workload
    if path.suffix != ".parquet" or arguments.procs:
        return [load_workload(path, arguments)]
    return [as_asked(one, arguments, number) for number, one in enumerate(read_replications(path))]
