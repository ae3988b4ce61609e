"""Workloads and schedules for the tests of exporting, and files read back."""

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.runs.simulation import simulate
from traces import IngestOptions, ingest

SECOND = 10**6


def workload(*jobs, processors=8):
    """Return jobs (submit, run time, estimate, size) in seconds, numbered from 1."""
    rows = [(number, *(round(time * SECOND) for time in job[:3]), job[3]) for number, job in enumerate(jobs, start=1)]
    table = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row").sort("submit_us", "job")
    return Workload(table, Machine(processors, "Elm"))


def with_columns(one, machine=None, **columns):
    """Return a workload with further columns, on its own or another machine."""
    kinds = WORKLOAD_COLUMNS | WORKLOAD_OPTIONAL
    table = one.jobs.with_columns(pl.Series(name, values, kinds[name]) for name, values in columns.items())
    return Workload(table, machine or one.machine, one.provenance, one.companions)


def schedule_of(one, policy="easy", **parameters):
    return simulate(one, policy, **parameters)


def read_back(folder, exported, **options):
    """Return what slotwise reads from an exported text."""
    path = folder / "exported.swf"
    path.write_text(exported.text, encoding="utf-8")
    return ingest(path, IngestOptions.build(options))


def counts(exported):
    return {loss.rule: loss.count for loss in exported.losses}


def fields(exported):
    """Return the 18 numbers of each job."""
    lines = [line for line in exported.text.splitlines() if not line.startswith(";")]
    return [[int(field) for field in line.split()] for line in lines]


def header(exported):
    return [line.removeprefix("; ") for line in exported.text.splitlines() if line.startswith(";")]
