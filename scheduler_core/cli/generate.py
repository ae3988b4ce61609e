"""`slotwise generate MODEL --jobs N --seed S --out W.parquet`."""

from __future__ import annotations

import argparse
from pathlib import Path

from scheduler_core.cli.words import add_settings, read_settings


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", metavar="MODEL", help="name of the model: lublin, huang, jann, gang_adversary")
    parser.add_argument("--jobs", type=int, metavar="N", help="jobs to draw; by default as many as the publication")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="seed; the same seed gives the same jobs")
    parser.add_argument("--load", type=float, metavar="X", help="offered load to scale the arrivals to, such as 0.7")
    add_settings(parser, "model")
    parser.add_argument("--out", type=Path, required=True, metavar="W.parquet", help="the workload")


def run(arguments: argparse.Namespace) -> int:
    """Draw a workload and write it."""
    from traces.models import get_model, jobs_of

    model = get_model(arguments.model, **read_settings(arguments.settings))

    from traces.seeds import generator

    workload = model.generate(jobs_of(model, arguments.jobs), generator(arguments.seed, arguments.model, 0))
    if arguments.load is not None:
        from traces.shape.load import scale_load

        workload = scale_load(workload, arguments.load)
    workload.write(arguments.out)
    print(
        f"{len(workload):,} jobs on {workload.machine.processors:,} processors, "
        f"offered load {workload.offered_load:.3f}, written to {arguments.out}"
    )
    return 0
