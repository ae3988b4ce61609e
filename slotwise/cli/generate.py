"""`slotwise generate MODEL --jobs N --seed S --out W.parquet`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters
from slotwise.cli.accounting import add_verbose, show_accounting
from slotwise.cli.outputs import add_out, refuse_existing, workload_files
from slotwise.cli.words import a_count, add_settings, read_settings
from slotwise.cli.workloads import (
    add_companions,
    cluster_keys,
    load_words,
    machine_words,
    note_wide_jobs,
    read_companions,
    where_written,
    with_companions,
    workflow_words,
)
from traces.generate import generate

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from traces.models import Model
    from traces.written_values import Fit


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", metavar="MODEL", help="model: lublin, huang, jann, ...")
    parser.add_argument("--jobs", type=a_count, metavar="N", help="number of jobs (default: that of the publication)")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="random seed; equal seeds give equal jobs")
    parser.add_argument("--load", type=float, metavar="X", help="scale the arrivals to this offered load, such as 0.7")
    parser.add_argument("--fit", metavar="LOG", help="fit the model to this log, a path or a name (jann)")
    parser.add_argument(
        "--fit-dates",
        nargs=2,
        metavar=("FROM", "TO"),
        help="fit to these days of the log only, both included, such as 1996-06-25 1996-09-12",
    )
    parser.add_argument(
        "--processors", type=a_count, metavar="N", help="processors of the machine (default: those of the publication)"
    )
    add_settings(parser, "model")
    add_companions(parser, own_seed=True)
    add_out(parser, "W.parquet", "file for the workload")
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw a workload and write it."""
    from scheduler_core.common.files import target_file
    from traces.models import get_model, jobs_to_draw, models

    kind = models().get(arguments.model, Parameters)  # get_model refuses an unknown name
    size = [] if arguments.processors is None else [f"processors={arguments.processors}"]
    settings = read_settings([*arguments.settings, *size], kind)
    model = get_model(arguments.model, **settings)
    jobs = jobs_to_draw(model, arguments.jobs)
    read_companions(arguments)  # refuse wrong options before the work
    machine = cluster_keys(arguments, drawn=True)
    refuse_options(arguments)
    target_file(arguments.out)
    if machine:
        workload = draw_for_clusters(
            {"model": arguments.model, "set": settings, "jobs": jobs, **machine}, arguments.seed
        )
    else:
        workload = generate(arguments.model, jobs, seed=arguments.seed, fit=log_to_fit(arguments, model), **settings)
    refuse_existing(workload_files(arguments.out), arguments.force)
    workload = with_companions(workload, arguments, load=arguments.load)
    workload.write(arguments.out)
    note_wide_jobs(workload)
    words = [
        f"{len(workload):,} jobs on {machine_words(workload)}",
        workflow_words(workload),
        load_words(workload, arguments.load),
        where_written(workload, arguments.out),
    ]
    print(", ".join(filter(None, words)))
    return 0


def refuse_options(arguments: argparse.Namespace) -> None:
    """Raise :class:`ParameterError` for options that need another one or contradict it."""
    if arguments.clusters is not None and arguments.fit is not None:
        raise ParameterError(
            "--clusters: a model that is fitted to a log draws one stream; leave the option out here, and distribute the jobs "
            "with `slotwise simulate W.parquet --clusters`"
        )
    if arguments.clusters is not None and arguments.processors is not None:
        raise ParameterError("--processors: --clusters gives every cluster its size; leave one of the two out")
    if arguments.fit_dates is not None and arguments.fit is None:
        raise ParameterError("--fit-dates are days of a log; name it with --fit LOG")


def log_to_fit(arguments: argparse.Namespace, model: Model) -> Workload | Fit | None:
    """Return the log of ``--fit``, or its days of ``--fit-dates``; None without the option.

    A log is read unless the fit ships with slotwise.
    """
    from scheduler_core.common.files import target_file
    from traces.ingest import read_log
    from traces.shape.dates import KEYS, Dates, between_dates
    from traces.written_values import Fit

    if arguments.fit is None:
        return None
    days = arguments.fit_dates
    dates = None if days is None else Dates.build(dict(zip(KEYS, days, strict=True)))
    if model.shipped_fit(arguments.fit, dates) is not None:
        return Fit(arguments.fit, dates)
    log = read_log(arguments.fit)
    target_file(arguments.out)  # the file of the log is known only now
    show_accounting(log, arguments.verbose)
    return between_dates(log, dates)


def draw_for_clusters(definition: dict[str, Any], seed: int) -> Workload:
    """Return a workload drawn for several clusters."""
    from scheduler_core.declarations.written import parse
    from traces.build import draw_sources, on_clusters
    from traces.definition import ModelDefinition

    read = parse(ModelDefinition, definition)
    return on_clusters(draw_sources(read, read.model, seed)[0], read)
