"""`slotwise explain RUN --job N`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from slotwise.cli.words import a_number, a_path
from slotwise.cli.workloads import read_source

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from scheduler_core.runs.folder import Run


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="RUN", help="folder of a finished run of space sharing")
    parser.add_argument("--job", type=a_number, required=True, metavar="N", help="number of the job to explain")
    parser.add_argument(
        "--log",
        type=a_path,
        metavar="LOG",
        help="the log or workload of the run, if its policy is your own and looks at users or queues",
    )
    parser.add_argument(
        "--replication", type=a_number, default=0, metavar="N", help="replication of the run, from 0 (default: 0)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs; times in microseconds")


def run(arguments: argparse.Namespace) -> int:
    """Print why a job started when it did."""
    from scheduler_core.runs.folder import read_run
    from slotwise.decisions.explanation import explain
    from slotwise.decisions.words import sentences

    finished = read_run(arguments.run)
    if arguments.replication >= len(finished.schedules):
        raise ContractError(
            f"{arguments.run}: there is no replication {arguments.replication}; the first is 0, the last "
            f"{len(finished.schedules) - 1}"
        )
    workload = workload_of(finished, arguments)
    found = explain(workload, finished.schedules[arguments.replication], arguments.job)
    if arguments.json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        print("\n".join(sentences(found)))
    return 0


def workload_of(finished: Run, arguments: argparse.Namespace) -> Workload:
    """Return the jobs of the run, with the users and queues of their log if it is given."""
    own = finished.workloads[arguments.replication]
    if arguments.log is None:
        return own
    log = read_source(arguments.log, None, arguments.replication)
    further = [name for name in ("user", "group", "queue", "partition", "executable") if name in log.jobs.columns]
    jobs = own.jobs.join(log.jobs.select("job", *further), on="job", how="left", maintain_order="left")
    return own.transformed(jobs, {"step": "log"})
