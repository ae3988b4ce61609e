"""What subcommands share that take a log or a workload: reading it, and adding what no log records of its jobs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, ParameterError, StudyError
from scheduler_core.declarations.parameters import parse_setting
from scheduler_core.declarations.words import counted
from slotwise.cli.words import a_number

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from traces.definition import Companions

KEY = "command line"
"""What the random numbers hang on, in the place of a workload's id in a study: so that the seed alone decides."""


def add_begin(parser: argparse.ArgumentParser) -> None:
    """Add the option that says when time begins."""
    parser.add_argument(
        "--begin",
        choices=("first_job",),
        help="when time begins: as the first job that is taken is submitted (default: with the log's clock), for runs that end "
        "at a time of their own, as with --set until_s=20000",
    )


def add_companions(parser: argparse.ArgumentParser, *, own_seed: bool = False) -> None:
    """Add the options, that for the seed among them, unless the subcommand has its own."""
    parser.add_argument(
        "--clusters",
        metavar="SIZES",
        help="bring the jobs to several clusters: 4x128 is four of 128 processors, 128,128,64@2 has a third at speed 2",
    )
    parser.add_argument(
        "--streams",
        metavar="WORD",
        help="how jobs come to clusters: cut into consecutive pieces of the log, dealt in turn, or (when drawn) own: a stream "
        "for each (default: own when drawn, else cut)",
    )
    parser.add_argument(
        "--workflows",
        metavar="KEY=VALUE",
        action="append",
        help="make workflows of some jobs: --workflows 0.1 is share=0.1, a tenth of medium and long jobs; more keys as in a "
        "study (config/README.md), each by itself: --workflows share=0.1 --workflows split=proc",
    )
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
    parser.add_argument(
        "--applications",
        metavar="KEY=VALUE",
        action="append",
        help="draw what the tasks of jobs do inside a time slice: --applications IO/Msg is mix=IO/Msg; more keys as in a study "
        "(config/README.md), each by itself: --applications mix=IO --applications chapter=6",
    )
    parser.add_argument(
        "--programs",
        metavar="CSV",
        help="what the tasks of some jobs do, statement by statement (columns job, task, statement, value); --applications says "
        "what the others do",
    )
    if not own_seed:
        parser.add_argument(
            "--seed", type=a_number, default=0, metavar="S", help="random seed of what is drawn for jobs (default: 0)"
        )


def read_companions(arguments: argparse.Namespace) -> Companions:
    """Read the options for what is added to jobs.

    Raises
    ------
    ParameterError
        When an option is not one by itself, or says what there is not.
    """
    from scheduler_core.declarations.parameters import parse_call
    from scheduler_core.declarations.written import parse
    from traces.definition import Companions
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
    """Read the options ``--workflows``: each is KEY=VALUE, or a number, which is the share; files are separated by commas."""
    values = settings_of("workflows", "share", written)
    if isinstance(values.get("files"), str):
        values["files"] = values["files"].split(",")
    return values


def settings_of(option: str, first: str, written: list[str]) -> dict[str, Any]:
    """Read an option that may be given several times: each is KEY=VALUE, or the value of its ``first`` key alone."""
    values: dict[str, Any] = {}
    for text in written:
        key, value = parse_setting(text if "=" in text else f"{first}={text}")
        if key in values:
            raise ParameterError(f"--{option} {key} is given twice; leave one of the two out")
        values[key] = value
    return values


def cluster_keys(arguments: argparse.Namespace, *, drawn: bool) -> dict[str, Any]:
    """Read the options of the machine as the keys of a workload's definition; ``drawn``: whether a model draws its jobs."""
    from traces.definition import LogDefinition, ModelDefinition, naming_key, stream_words
    from traces.shape.clusters import cluster_words

    if arguments.clusters is None:
        if arguments.streams is not None:
            raise ParameterError("--streams says how jobs come to clusters; name these with --clusters")
        return {}
    with naming_key("--clusters"):
        keys: dict[str, Any] = {"clusters": [line._asdict() for line in cluster_words(arguments.clusters)]}
    allowed = (ModelDefinition if drawn else LogDefinition).STREAMS_ALLOWED
    streams = arguments.streams or allowed[0]
    if streams not in allowed:
        raise StudyError(f"--streams: {stream_words(allowed, streams)}")
    return {**keys, "streams": streams}


def on_clusters_of(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return a workload with its jobs brought to the clusters that the options name; as it is where they name none."""
    keys = cluster_keys(arguments, drawn=False)
    if not keys:
        return workload
    from traces.definition import naming_key
    from traces.shape.clusters import distribute, read_clusters

    with naming_key("--clusters"):
        return distribute(workload, read_clusters(keys["clusters"]), keys["streams"])


def with_companions(
    workload: Workload, arguments: argparse.Namespace, replication: int = 0, load: float | None = None
) -> Workload:
    """Return a workload with what the options add to it, scaled to a ``load`` where there is one."""
    companions = read_companions(arguments)
    if not companions.written and load is None:
        return workload
    from functools import partial

    from traces.build import add_companions_of
    from traces.definition import naming_key
    from traces.seeds import generator
    from traces.shape.load import scale_load

    workload = add_companions_of(workload, companions, KEY, arguments.seed, replication)
    workload = workload if load is None else scale_load(workload, load)
    if companions.workflows is not None:
        with naming_key("--workflows"):
            return companions.workflows.add(workload, partial(generator, arguments.seed, KEY, replication))
    return workload


def machine_words(workload: Workload) -> str:
    """Say how large a machine is, and of how many clusters it is where there are several."""
    processors, clusters = workload.machine.processors, len(workload.machine.clusters)
    return f"{processors:,} processors" + (f" in {clusters:,} clusters" if clusters > 1 else "")


def note_wide_workflows(workload: Workload) -> None:
    """Say on standard error how many workflows have a task that is wider than every cluster."""
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
    """Say on standard error how many jobs are wider than the cluster they are submitted to, and how many workflows so."""
    note_wide_workflows(workload)
    if "home" not in workload.jobs.columns:
        return
    from traces.shape.clusters import wider

    if count := wider(workload.jobs, [cluster.processors for cluster in workload.machine.clusters]):
        print(
            f"NOTE: {count:,} of {len(workload):,} jobs ask for more processors than the cluster has to which they are "
            "submitted, and will be rejected; name wider clusters with --clusters",
            file=sys.stderr,
        )


def load_words(workload: Workload, asked: float | None) -> str:
    """Say the offered load; of several clusters also that each has what was ``asked`` while its own jobs come."""
    words = f"offered load {workload.offered_load:.3f}"
    if asked is None or "home" not in workload.jobs.columns:
        return words
    return f"{words} from the first submission to the last on any cluster ({asked:g} on each while its own jobs come)"


def workflow_words(workload: Workload) -> str:
    """Say how many of the jobs are tasks of workflows; empty where none is."""
    tasks = workload.companions.get("tasks")
    if tasks is None or tasks.is_empty():
        return ""
    return f"{len(tasks):,} of them are tasks of {counted(tasks['workflow'].n_unique(), 'workflow')}"


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
        if arguments.procs and (count := len(workload.machine.clusters)) > 1:
            raise ParameterError(
                f"--procs is the size of one cluster; the jobs are for {count} clusters of their own already"
            )
        workload = workload.on_machine(arguments.procs) if arguments.procs else workload
    else:
        from traces.ingest import ingest_log

        if replication:
            raise ContractError(f"{path}: a log has one replication, 0; found --replication {replication}")
        workload = ingest_log(path, processors=arguments.procs).workload
    workload = workload.first(arguments.first) if arguments.first else workload
    if getattr(arguments, "begin", None):
        from traces.shape.windows import from_first_job

        workload = from_first_job(workload)
    return with_companions(on_clusters_of(workload, arguments), arguments, replication or 0)


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
