"""`slotwise explain RUN`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError
from scheduler_core.common.files import target_file
from scheduler_core.common.units import us_to_seconds
from scheduler_core.declarations.families import SITE_TABLES
from scheduler_core.declarations.words import counted
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.outputs import add_force, refuse_existing
from slotwise.cli.words import a_number, a_path, tell
from slotwise.cli.workloads import read_source

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.decisions.explained import Explanation
    from scheduler_core.runs.comparison import Side


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="RUN", help="folder of a finished run")
    parser.add_argument(
        "--job",
        type=a_number,
        metavar="N",
        help="number of the job to explain (default: the job with the longest wait)",
    )
    parser.add_argument(
        "--log",
        type=a_path,
        metavar="LOG",
        help="the log or workload of the run, for what a run does not keep: users and queues (for own policies, ceilings and "
        "fair share), standstills, closed hours, and "
        "the companion tables that its policy reads (behaviour, shares, tasks, applications, ...)",
    )
    parser.add_argument(
        "--replication", type=a_number, default=0, metavar="N", help="replication of the run, from 0 (default: 0)"
    )
    parser.add_argument(
        "--compare",
        type=a_path,
        metavar="RUN",
        help="another run of the same jobs: where the two first differ, and how that reaches the start of this job; if no step "
        "leads there, why the first job that differs waits longer",
    )
    parser.add_argument(
        "--picture", type=a_path, metavar="FILE", help="draw the wait and who held processors: .svg, .png or .pdf"
    )
    add_force(parser)
    parser.add_argument("--all", action="store_true", help="print every sentence, not only those that matter most")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs; times in microseconds")


def run(arguments: argparse.Namespace) -> int:
    """Print why a job started when it did."""
    import polars as pl

    from scheduler_core.decisions.explanation import explain
    from scheduler_core.runs.comparison import read_side, refuse_other_jobs
    from slotwise.decisions.divergence import diverge
    from slotwise.decisions.gantt import draw
    from slotwise.decisions.picture import wait_chart

    side = read_side(arguments.run, arguments.replication)
    workload = side.workload if arguments.log is None else with_log(side, arguments)
    options = {
        "standstills": "--standstills HOURS",
        "closed_hours": "--closed-hours (or --close JOBS=HOURS)",
        "out_of_use": "--usable PROCESSORS",
    }
    for table in (name for name in options if name in side.companions and name not in workload.companions):
        print(
            f"NOTE: the run was made of a workload with {SITE_TABLES[table]}, and a run does not keep them: name the workload "
            f"with --log (`slotwise ingest LOG {options[table]} --out W.parquet` writes it)",
            file=sys.stderr,
        )
    other = None if arguments.compare is None else read_side(arguments.compare, arguments.replication)
    if other:
        refuse_other_jobs(side, other)
    if arguments.picture:
        target_file(arguments.picture)
        refuse_existing([arguments.picture], arguments.force)
    tell_of_compiling()
    number = longest_wait(side.schedule) if arguments.job is None else arguments.job
    found = explain(workload, side.schedule, number)
    parted = diverge(side.schedule, other.schedule, number) if other else None
    if arguments.picture:
        draw(wait_chart(side.schedule, found), arguments.picture)
    later = None
    if parted and other and parted.waiting and parted.waiting != (number, "A"):
        job, run_ = parted.waiting
        schedule = side.schedule if run_ == "A" else other.schedule
        if schedule.jobs.filter(pl.col("job") == job)["start_us"][0] is not None:
            later = explain(workload, schedule, job, alternatives=False)
    if arguments.json:
        told = {"divergence": parted.to_dict(), "later": later.to_dict() if later else None} if parted else {}
        print(json.dumps({**found.to_dict(), **told}, indent=2))
        return 0
    if arguments.job is None:
        tell(f"Job {number} has the longest wait.")
    tell(in_sentences(found, arguments))
    note_lacking(found)
    if parted and other:
        tell(f"\nA = {side.title}\nB = {other.title}\n{parted}")
        if later and parted.waiting:
            tell(f"\nJob {later.job} waits longer in {parted.waiting[1]}:\n{in_sentences(later, arguments)}")
    if arguments.picture:
        print(f"written to {arguments.picture}")
    return 0


def longest_wait(schedule: Schedule) -> int:
    """Return the job with the longest wait, of equal ones the lowest number; raise :class:`ContractError` if none ended."""
    from scheduler_core.runs.summary import job_times

    waits = schedule.jobs.select("job", wait_s=job_times(schedule).wait_s).drop_nulls()
    if waits.is_empty():
        raise ContractError("no job of the run ended, so none has a wait; --job N names the job to explain")
    return int(waits.sort("wait_s", "job", descending=[True, False])["job"][0])


def note_lacking(found: Explanation) -> None:
    """Say on standard error how to write the workload whose tables an explanation lacks."""
    from traces.companions import advice

    if said := advice(found.lacking):
        print(
            f"NOTE: {said}: `slotwise ingest LOG ... --out W.parquet` with the options of the run writes the workload with it, "
            "and --log W.parquet names it",
            file=sys.stderr,
        )


def in_sentences(found: Explanation, arguments: argparse.Namespace) -> str:
    """Return an explanation in sentences: those that matter most, or with ``--all`` every one."""
    whole = list(found.sentences())
    shown = whole if arguments.all else found.brief()
    left = len(whole) - len(shown)
    return "\n".join([*shown, f"({counted(left, 'further sentence')} with --all)"] if left else shown)


def with_log(side: Side, arguments: argparse.Namespace) -> Workload:
    """Return the jobs of the run with numbers (user, queue, ...), site and companion tables of their log."""
    from slotwise.planning.waits import NUMBERED

    own, tables = side.workload, side.schedule.family.companions
    log = read_source(arguments.log, None, arguments.replication)
    refuse_another_log(own, log, arguments.log)
    # Tables are of the jobs of the run alone, as when only the first jobs of a workload were run.
    log = log.transformed(log.jobs.join(own.jobs, on="job", how="semi", maintain_order="left"), {"step": "explained"})
    further = [name for name in (*NUMBERED, "executable") if name in log.jobs.columns]
    jobs = own.jobs.join(log.jobs.select("job", *further), on="job", how="left", maintain_order="left")
    kept = {name: table for name, table in log.companions.items() if name in (*tables, *SITE_TABLES)}
    made = own.transformed(jobs, {"step": "log"}, companions=kept)
    for name in side.companions.keys() & kept.keys():
        if made.companion_digests[name] != side.companions[name]:
            raise ContractError(
                f"{arguments.log}: its table {name} is not the one that the run was made with; give the workload that was run"
            )
    return made


def refuse_another_log(own: Workload, log: Workload, source: str) -> None:
    """Raise :class:`ContractError` unless a log has all jobs of a run with their run times, which no workload changes."""
    known = log.jobs.select("job", there="runtime_us")
    both = own.jobs.select("job", "runtime_us").join(known, on="job", how="left", maintain_order="left")
    for job, runtime, there in both.filter(both["runtime_us"].ne_missing(both["there"])).rows()[:1]:
        here = f"runs for {us_to_seconds(runtime):,g} s"
        found = "the log has no such job" if there is None else f"for {us_to_seconds(there):,g} s in the log"
        raise ContractError(f"{source}: this is not the log of the run, in which job {job} {here}; {found}")
