"""Options shared by subcommands that take a log or workload: reading it, and adding what no log records."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, ParameterError, StudyError, naming_key
from scheduler_core.declarations.parameters import parse_setting
from scheduler_core.declarations.words import counted
from slotwise.cli.accounting import add_verbose
from slotwise.cli.changes import add_machine, add_selection, applied, chosen_jobs, read_estimates, resized
from slotwise.cli.words import a_number, a_path

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from scheduler_core.declarations.policy import Policy
    from traces.accounting import IngestOptions
    from traces.companion_keys import Companions
    from traces.shape.estimates import EstimateModel
    from traces.shape.flexibility import HuangFlexibility


def add_companions(parser: argparse.ArgumentParser, *, own_seed: bool = False) -> None:
    """Add the options for clusters and companion tables, and ``--seed`` unless the subcommand has its own."""
    parser.add_argument(
        "--clusters",
        metavar="SIZES",
        help="distribute the jobs to clusters: 4x128 is four of 128 processors; in 128,128,64@2 the third has speed 2",
    )
    parser.add_argument(
        "--streams",
        metavar="WORD",
        help="how jobs reach the clusters: cut (consecutive pieces of the log), dealt (in turn), or own (a stream drawn for "
        "each; models only). Default: own for models, cut for logs",
    )
    parser.add_argument(
        "--workflows",
        metavar="KEY=VALUE",
        action="append",
        help="turn some jobs into workflows: --workflows 0.1 means share=0.1, a tenth of medium and long jobs. Repeat the "
        "option for further keys (config/README.md): --workflows share=0.1 --workflows split=proc",
    )
    parser.add_argument(
        "--behaviour",
        metavar="BEHAVIOUR",
        help='draw the resource use and memory of jobs: lomarc, or \'lomarc(mixture="M2", by="executable")\'',
    )
    parser.add_argument(
        "--slowdowns",
        metavar="TABLE",
        help="slowdowns of jobs that share processors: a CSV (columns job, beside, slowdown) or huang_2004",
    )
    parser.add_argument(
        "--slowdowns-by",
        metavar="WORD",
        help="for a CSV, what its names are: class, kind or executable (default: class); for a published table, what gets "
        "one application: job, executable or user (default: job)",
    )
    parser.add_argument(
        "--applications",
        metavar="KEY=VALUE",
        action="append",
        help="draw what tasks do inside a time slice: --applications IO/Msg means mix=IO/Msg. Repeat the option for further "
        "keys (config/README.md): --applications mix=IO --applications chapter=6",
    )
    parser.add_argument(
        "--programs",
        metavar="CSV",
        help="programs of some jobs' tasks, one statement a line (columns job, task, statement, value); --applications "
        "applies to the other jobs",
    )
    add_flexibility(parser)
    if not own_seed:
        parser.add_argument(
            "--seed", type=a_number, default=0, metavar="S", help="random seed of these options (default: 0)"
        )


def add_flexibility(parser: argparse.ArgumentParser) -> None:
    """Add the option for jobs that are not rigid."""
    parser.add_argument(
        "--flexibility",
        metavar="MODEL",
        help="make most jobs moldable or malleable, for policies that choose sizes: huang, or 'huang(rigid=0.2)'",
    )


def read_companions(arguments: argparse.Namespace) -> Companions:
    """Read the options for what is added to jobs.

    Raise :class:`ParameterError` when an option needs another one, or has an unknown value.
    """
    from scheduler_core.declarations.parameters import parse_call
    from scheduler_core.declarations.written import parse
    from traces.companion_keys import Companions
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
    if arguments.applications is not None:
        keys["applications"] = settings_of("applications", "mix", arguments.applications)
    if arguments.programs is not None:
        keys["programs"] = arguments.programs
    if arguments.workflows is not None:
        keys["workflows"] = workflow_keys(arguments.workflows)
    try:
        return parse(Companions, keys)
    except StudyError as error:
        raise StudyError(f"--{error}") from error


def workflow_keys(written: list[str]) -> dict[str, Any]:
    """Return the options ``--workflows``: each is KEY=VALUE, or the share as a number; commas separate files."""
    values = settings_of("workflows", "share", written)
    if isinstance(values.get("files"), str):
        values["files"] = values["files"].split(",")
    return values


def settings_of(option: str, first: str, written: list[str]) -> dict[str, Any]:
    """Return the keys of a repeated option: each is KEY=VALUE, or only the value of its ``first`` key."""
    values: dict[str, Any] = {}
    for text in written:
        key, value = parse_setting(text if "=" in text else f"{first}={text}")
        if key in values:
            raise ParameterError(f"--{option} {key} is given twice; leave one of the two out")
        values[key] = value
    return values


def cluster_keys(arguments: argparse.Namespace, *, drawn: bool) -> dict[str, Any]:
    """Return the options of the machine as keys of a workload's definition; ``drawn``: whether a model draws the jobs."""
    from traces.definition import LogDefinition, ModelDefinition, stream_words
    from traces.shape.clusters import cluster_words

    if arguments.clusters is None:
        if arguments.streams is not None:
            raise ParameterError("--streams says how jobs reach the clusters; name these with --clusters")
        return {}
    with naming_key("--clusters"):
        keys: dict[str, Any] = {"clusters": [line._asdict() for line in cluster_words(arguments.clusters)]}
    allowed = (ModelDefinition if drawn else LogDefinition).STREAMS_ALLOWED
    streams = arguments.streams or allowed[0]
    if streams not in allowed:
        raise StudyError(f"--streams: {stream_words(allowed, streams)}")
    return {**keys, "streams": streams}


def on_clusters_of(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return a workload distributed to the clusters of the options, or as it is when they name none."""
    keys = cluster_keys(arguments, drawn=False)
    if not keys:
        return workload
    from traces.shape.clusters import distribute, read_clusters

    with naming_key("--clusters"):
        return distribute(workload, read_clusters(keys["clusters"]), keys["streams"])


def read_flexibility(arguments: argparse.Namespace) -> HuangFlexibility | None:
    """Return the model of the option ``--flexibility``; raise :class:`StudyError` for an unknown one."""
    if arguments.flexibility is None:
        return None
    from traces.written_values import flexibility_named

    return flexibility_named(arguments.flexibility)


def flexible(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return a workload whose jobs are as flexible as the option says, as ``slotwise simulate`` makes them."""
    from traces.steps import ADDED

    return applied(ADDED, workload, {"flexibility": read_flexibility(arguments)}) if len(workload) else workload


def with_companions(
    workload: Workload,
    arguments: argparse.Namespace,
    replication: int = 0,
    load: float | None = None,
    estimates: EstimateModel | None = None,
) -> Workload:
    """Return a workload with what the options add to jobs, and with a ``load`` and ``estimates`` if there are any."""
    companions, flexibility = read_companions(arguments), read_flexibility(arguments)
    if not companions.written and load is None and estimates is None and flexibility is None:
        return workload
    from traces.steps import ADDED

    if not len(workload):
        from traces.build import without_rows

        return without_rows(workload, companions.companions)
    values = {key: getattr(companions, key, None) for key in ADDED} | {
        "load": load,
        "estimates": estimates,
        "flexibility": flexibility,
    }
    return applied(ADDED, workload, values, arguments.seed, replication)


def machine_words(workload: Workload) -> str:
    """Return the size of a machine in words, with the number of clusters if there are several."""
    processors, clusters = workload.machine.processors, len(workload.machine.clusters)
    return f"{processors:,} processors" + (f" in {clusters:,} clusters" if clusters > 1 else "")


def tell_notes(policies: Iterable[Policy], workload: Workload) -> None:
    """Print on standard error what policies note of a workload, such as one that chooses sizes among rigid jobs."""
    for words in dict.fromkeys(words for policy in policies for words in policy.notes(workload)):
        print(f"NOTE: {words}", file=sys.stderr)


def note_wide_workflows(workload: Workload) -> None:
    """Print on standard error how many workflows have a task that is wider than every cluster."""
    tasks = workload.companions.get("tasks")
    if tasks is None or tasks.is_empty():
        return
    widest = max(cluster.processors for cluster in workload.machine.clusters)
    sizes = workload.jobs.select("job", "size").join(tasks, on="job")
    if count := sizes.filter(sizes["size"] > widest)["workflow"].n_unique():
        print(
            f"NOTE: {count:,} of {counted(tasks['workflow'].n_unique(), 'workflow')} have a task that asks for more processors "
            "than any cluster has, and will be rejected whole",
            file=sys.stderr,
        )


def note_wide_jobs(workload: Workload) -> None:
    """Print on standard error how many jobs, and how many workflows, are too wide for their cluster."""
    note_wide_workflows(workload)
    if "home" not in workload.jobs.columns:
        return
    from traces.shape.clusters import wider

    if count := wider(workload.jobs, [cluster.processors for cluster in workload.machine.clusters]):
        print(
            f"NOTE: {count:,} of {len(workload):,} jobs ask for more processors than their cluster has, and will be rejected; "
            "name wider clusters with --clusters",
            file=sys.stderr,
        )


def load_words(workload: Workload, asked: float | None) -> str:
    """Return the offered load in words; for several clusters, also the load that was ``asked`` of each."""
    words = f"offered load {workload.offered_load:.3f}"
    if asked is None or "home" not in workload.jobs.columns:
        return words
    return f"{words} from the first submission to the last on any cluster ({asked:g} on each while its own jobs come)"


def workflow_words(workload: Workload) -> str:
    """Return how many jobs are tasks of workflows, in words; empty when none is."""
    tasks = workload.companions.get("tasks")
    if tasks is None or tasks.is_empty():
        return ""
    return f"{len(tasks):,} of them are tasks of {counted(tasks['workflow'].n_unique(), 'workflow')}"


def load_workload(path: Path, arguments: argparse.Namespace, replication: int | None = None) -> Workload:
    """Return a log (a file, or a name of the catalogue) or a workload (``.parquet``) with what the options add.

    Raise :class:`ContractError` when a log is asked for a replication other than its only one.
    """
    return as_asked(read_source(path, arguments.procs, replication), arguments, replication or 0)


def add_log(parser: argparse.ArgumentParser, *further: str) -> None:
    """Add the options of commands that compare a log's jobs with what happened to them: the log, its machine, its jobs.

    ``further`` are other names of ``--procs``.
    """
    parser.add_argument("log", type=a_path, metavar="LOG", help="job log (.swf, .swf.gz, or a name of `slotwise logs`)")
    add_machine(parser, "processors of the machine today", *further)
    add_selection(parser)
    add_verbose(parser)


LOG_OPTIONS = (
    *("procs", "usable", "first", "begin", "partition", "queue", "where"),
    *("standstills", "closed_hours", "queue_credit"),
)
"""Those of :func:`add_log` that choose jobs and machine."""


def read_log_asked(arguments: argparse.Namespace) -> Workload:
    """Return the jobs of the options of :func:`add_log`."""
    return chosen_jobs(read_source(arguments.log, arguments.procs), arguments)


def log_processors(path: Path, asked: str | None, options: IngestOptions | None = None) -> int | None:
    """Return the processors of the option ``--procs`` for a log, which is read if they are a change of its own."""
    from traces.ingest import ingest_log

    if asked is None or asked.isdecimal():
        return None if asked is None else int(asked)
    return resized(ingest_log(path, options).workload.machine.processors, asked)


def read_source(path: Path, asked: str | None, replication: int | None = None) -> Workload:
    """Return a log or a workload, on a machine of the size that is ``asked`` for, if any is."""
    if path.suffix != ".parquet":
        from traces.ingest import ingest_log

        if replication:
            raise ContractError(f"{path}: a log has one replication, 0; found --replication {replication}")
        return ingest_log(path, processors=log_processors(path, asked)).workload
    workload = pick_replication(path, replication)
    if asked and (count := len(workload.machine.clusters)) > 1:
        raise ParameterError(
            f"--procs is the size of one cluster; the jobs are for {count} clusters of their own already"
        )
    return workload.on_machine(resized(workload.machine.processors, asked)) if asked else workload


def as_asked(workload: Workload, arguments: argparse.Namespace, replication: int = 0) -> Workload:
    """Return the jobs of a log or workload that the options choose, changed as they say, with what they add.

    Companion tables are drawn after ``--first``, as in a study. So a table of slowdowns need not cover later jobs.
    """
    from traces.shape.load import multiply_load
    from traces.steps import PART_OF_LOG

    workload = applied(PART_OF_LOG, chosen_jobs(workload, arguments), {"close": arguments.close})
    workload, load = on_clusters_of(workload, arguments), arguments.load
    if load is not None and load.times:
        with naming_key("--load"):
            workload, load = multiply_load(workload, load.number), None
    return with_companions(workload, arguments, replication, load and load.number, read_estimates(arguments))


def pick_replication(path: Path, replication: int | None) -> Workload:
    """Return one replication of a workload file; if the file has several, ``replication`` must name one."""
    from scheduler_core.contracts import read_replications, replication_in

    replications = read_replications(path)
    return replications[replication_in(path, len(replications), replication)]


def where_written(workload: Workload, path: Path) -> str:
    """Return where a workload was written, and the companion tables beside it."""
    beside = [f"{path.stem}.{name}.parquet" for name in sorted(workload.companions)]
    return f"written to {path}" + (f" (beside it {', '.join(beside)})" if beside else "")
