"""`slotwise generate MODEL --jobs N --seed S --out W.parquet`."""

from __future__ import annotations

import argparse

from scheduler_core.common.errors import ParameterError
from slotwise.cli.accounting import add_verbose, show_accounting
from slotwise.cli.words import a_count, a_path, add_settings, read_settings
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


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", metavar="MODEL", help="model: lublin, huang, jann, ...")
    parser.add_argument("--jobs", type=a_count, metavar="N", help="number of jobs (default: that of the publication)")
    parser.add_argument(
        "--seed",
        type=int,
        required=True,
        metavar="S",
        help="random seed; equal seeds give equal jobs",
    )
    parser.add_argument("--load", type=float, metavar="X", help="scale the arrivals to this offered load, such as 0.7")
    parser.add_argument("--fit", metavar="LOG", help="fit the model to this log, a path or a name (jann)")
    parser.add_argument(
        "--fit-dates",
        nargs=2,
        metavar=("FROM", "TO"),
        help="fit to these days of the log only, both included, such as 1996-06-25 1996-09-12",
    )
    add_settings(parser, "model")
    add_companions(parser, own_seed=True)
    parser.add_argument("--out", type=a_path, required=True, metavar="W.parquet", help="file for the workload")
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw a workload and write it."""
    from scheduler_core.declarations.parameters import Parameters
    from traces.models import get_model, jobs_to_draw, models

    kind = models().get(arguments.model, Parameters)  # get_model refuses an unknown name
    settings = read_settings(arguments.settings, kind)
    model = get_model(arguments.model, **settings)
    jobs = jobs_to_draw(model, arguments.jobs)
    read_companions(arguments)  # before the work
    machine = cluster_keys(arguments, drawn=True)
    if machine and arguments.fit is not None:
        raise ParameterError(
            "--clusters: a model that is fitted to a log draws one stream; leave the option out here, and distribute the jobs "
            "with `slotwise simulate W.parquet --clusters`"
        )

    from scheduler_core.common.files import target_file
    from scheduler_core.declarations.written import parse
    from traces.build import draw_sources, on_clusters
    from traces.definition import ModelDefinition
    from traces.ingest import read_log
    from traces.seeds import generator
    from traces.shape.dates import KEYS, Dates, between_dates

    days = arguments.fit_dates
    if days is not None and arguments.fit is None:
        raise ParameterError("--fit-dates are days of a log; name it with --fit LOG")
    dates = None if days is None else Dates.build(dict(zip(KEYS, days, strict=True)))
    target_file(arguments.out)  # before the work
    log = None if arguments.fit is None else read_log(arguments.fit)
    target_file(arguments.out)  # now that it is known which file the log is
    if log is not None:
        show_accounting(log, arguments.verbose)
    if log is not None and dates is not None:
        log = between_dates(log, dates)
    if machine:
        definition = parse(ModelDefinition, {"model": arguments.model, "set": settings, "jobs": jobs, **machine})
        workload = on_clusters(draw_sources(definition, arguments.model, arguments.seed)[0], definition)
    else:
        drawing = model if log is None else model.fitted_to(log)
        workload = drawing.generate(jobs, generator(arguments.seed, arguments.model, 0))
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
