"""What subcommands share that take a log or a workload: reading it, and adding what no log records of its jobs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.words import a_number
from scheduler_core.errors import ContractError, ParameterError

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

KEY = "command line"
"""What the random numbers hang on, in the place of a workload's id in a study: so that the seed alone decides."""


def add_companions(parser: argparse.ArgumentParser, *, own_seed: bool = False) -> None:
    """Add the options, that for the seed among them, unless the subcommand has its own."""
    parser.add_argument(
        "--behaviour",
        metavar="MODEL",
        help='draw what jobs do with their time, and their memory: lomarc, or \'lomarc(mixture="M2", by="executable")\'',
    )
    parser.add_argument(
        "--slowdowns",
        metavar="TABLE",
        help="slowdowns of jobs that share processors: a CSV (columns job, beside, slowdown), or huang_2004",
    )
    parser.add_argument(
        "--slowdowns-by",
        metavar="WORD",
        help="what a CSV knows jobs by: class, kind or executable (default: class); for what the application of a published "
        "table is drawn: job, executable or user (default: job)",
    )
    if not own_seed:
        parser.add_argument(
            "--seed", type=a_number, default=0, metavar="S", help="random seed of what is drawn for jobs (default: 0)"
        )


def companion_keys(arguments: argparse.Namespace) -> dict[str, Any]:
    """Read the options as the keys of a workload's definition.

    Raises
    ------
    ParameterError
        When an option is not one by itself, or says what there is not.
    """
    from scheduler_core.parameters import parse_call
    from traces.definition import STEPS, naming_key
    from traces.shape.slowdowns import PUBLISHED

    keys: dict[str, Any] = {}
    if arguments.behaviour is not None:
        text = arguments.behaviour
        name, values = parse_call(text, "a model of --behaviour") if "(" in text else (text, {})
        keys["behaviour"] = {"model": name, **values}
    if arguments.slowdowns is not None:
        kind = "table" if arguments.slowdowns in PUBLISHED else "file"
        by = {} if arguments.slowdowns_by is None else {"by": arguments.slowdowns_by}
        keys["slowdowns"] = {kind: arguments.slowdowns, **by}
    elif arguments.slowdowns_by is not None:
        raise ParameterError("--slowdowns-by says whose slowdowns a table has; name it with --slowdowns TABLE")
    for key in keys:
        with naming_key(f"--{key}"):
            STEPS[key](keys)
    return keys


def with_companions(workload: Workload, arguments: argparse.Namespace, replication: int = 0) -> Workload:
    """Return a workload with what the options add to it."""
    keys = companion_keys(arguments)
    if not keys:
        return workload
    from traces.build import add_companions_of

    return add_companions_of(workload, keys, KEY, arguments.seed, replication)


def load_workload(path: Path, arguments: argparse.Namespace, replication: int | None = None) -> Workload:
    """Read a log (a file, or a name of the catalogue) or a workload (``.parquet``), as the options say.

    What the options add is drawn for the first jobs alone, as in a study: so a table of slowdowns need not name what only
    later jobs of a log are.

    Parameters
    ----------
    path
        Of the log or workload.
    arguments
        With ``procs``, ``first`` and the options of :func:`add_companions`.
    replication
        Which replication of a workload that has several.
    """
    if path.suffix == ".parquet":
        workload = pick_replication(path, replication)
        workload = workload.on_machine(arguments.procs) if arguments.procs else workload
    else:
        from traces.ingest import ingest_log

        if replication:
            raise ContractError(f"{path}: a log has one replication, 0; found --replication {replication}")
        workload = ingest_log(path, processors=arguments.procs).workload
    workload = workload.first(arguments.first) if arguments.first else workload
    return with_companions(workload, arguments, replication or 0)


def pick_replication(path: Path, replication: int | None) -> Workload:
    """Read one replication of a workload file; a file of several needs to be told which."""
    from scheduler_core.contracts import read_replications

    replications = read_replications(path)
    if replication is None and len(replications) > 1:
        raise ContractError(
            f"{path}: holds {len(replications)} replications; choose one with --replication, 0 to {len(replications) - 1}"
        )
    chosen = replication or 0
    if not 0 <= chosen < len(replications):
        raise ContractError(
            f"{path}: there is no replication {chosen}; the first is 0, the last {len(replications) - 1}"
        )
    return replications[chosen]


def where_written(workload: Workload, path: Path) -> str:
    """Say where a workload was written, and which tables stand beside it."""
    beside = [f"{path.stem}.{name}.parquet" for name in sorted(workload.companions)]
    return f"written to {path}" + (f" (beside it {', '.join(beside)})" if beside else "")
