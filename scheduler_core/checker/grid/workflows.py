"""Rules of workflows: they run whole, their tasks wait for data, and local jobs stay at home."""

import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, Rule, aligned
from scheduler_core.checker.grid.evidence import EDGE, GridEvidence
from scheduler_core.checker.space_sharing import rules as space_sharing


def as_run(rule: Rule) -> Rule:
    """Return a rule applied to run times and estimates on the cluster where each job ran."""

    def applied(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
        return rule(evidence.as_run)

    return applied


def jobs_stay_on_their_cluster(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A job runs on the one cluster that the table of jobs names, a local job at its home.

    Its promises are made there.
    """
    of_jobs = evidence.clusters_of_jobs
    allocated = evidence.allocations.select("job", "cluster", at_us="begin_us")
    promised = evidence.tables["promises"].select("job", "cluster", at_us="made_us")
    held = pl.concat([allocated, promised]).join(of_jobs, on="job", suffix="_of_job")
    moved = held.filter(pl.col("cluster") != pl.col("cluster_of_job"))
    at_home = evidence.homes.join(of_jobs, on="job").filter(~evidence.too_much)
    away = at_home.filter(pl.col("cluster").ne_missing(pl.col("home"))).select("job", "home", "cluster")
    return held.height + at_home.height, pl.concat([moved, away], how="diagonal")


def jobs_run_at_once(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """On clusters under space sharing a job runs in one piece, its processors are only counted, and there are no slices."""
    if evidence.facts.in_slices:
        return NOTHING_CHECKED
    checked, broken = space_sharing.runs_at_once(evidence)
    slices, promises = evidence.tables["slices"], evidence.tables["promises"]
    odd = [slices.select("cluster", "begin_us"), promises.select("cluster", "job")]
    return checked, pl.concat([broken, *odd], how="diagonal")


def workflows_are_whole(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """All tasks of a workflow run, or all are rejected because one of them is wider than every cluster."""
    rejected = pl.col("outcome").cast(pl.String) == "rejected"
    outcome = evidence.jobs.unique("job", keep="first").select("job", rejected=rejected)
    tasks = aligned(evidence.tasks, outcome, "job")
    broken = tasks.filter(pl.col("rejected").ne_missing(~pl.col("fits")))
    return tasks.height, broken.select("workflow", "task", "job", "size", "rejected", workflow_fits="fits")


def transfers_follow_the_workload(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """The data of every edge leave when its first task is done, and take the time that the workload gives for the two clusters.

    So transfer times are drawn once, with the workload, and are the same in all its schedules. If tasks do not wait for one
    another, nothing is moved.
    """
    columns = (*EDGE, "from_cluster", "to_cluster", "sent_us", "arrived_us")
    given = evidence.tables["arrivals"].select(*columns)
    if not evidence.waits:
        return given.height, given
    expected = evidence.edges_as_run.rename({"done_us": "sent_us"}).select(*columns)
    odd = given.join(expected, on=columns, how="anti").with_columns(found=pl.lit("not expected"))
    twice = given.filter(pl.struct(*EDGE).is_duplicated()).with_columns(found=pl.lit("twice"))
    missing = expected.join(given, on=columns, how="anti").with_columns(found=pl.lit("missing"))
    return expected.height + given.height, pl.concat([odd, twice, missing]).sort(*EDGE, "found")


def tasks_wait_for_their_data(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A task begins after all its predecessors are done and their data have arrived."""
    if not evidence.waits:
        return NOTHING_CHECKED
    edges = evidence.edges_as_run
    early = edges.filter((pl.col("begin_us") < pl.col("arrived_us")).fill_null(True))
    return edges.height, early.select(*EDGE, "done_us", "arrived_us", "begin_us")


def tasks_start_in_their_frame(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A booked task never starts before its earliest start in force, nor before its data arrive, both by its row.

    The earliest start in force is that of its frame; with propagation it is the arrival of its data if that is earlier.
    """
    given = evidence.tables["reservations"].select("workflow", "task", "job", "earliest_us", "ready_us", "freed_us")
    began = evidence.held.select("job", "begin_us")
    roots = evidence.freed.join(evidence.edges, left_on="job", right_on="to_job", how="anti")["job"]
    both = aligned(given, evidence.freed.select("job", "arrived_us"), "job")
    both = aligned(both, began, "job")
    pulled = pl.lit(bool(evidence.parameters["propagation"])) & ~pl.col("job").is_in(roots.implode())
    in_force = pl.when(pulled).then(pl.min_horizontal("earliest_us", "arrived_us")).otherwise("earliest_us")
    broken = (
        (pl.col("ready_us") != pl.col("arrived_us"))
        | (pl.col("freed_us") != in_force)
        | (pl.col("begin_us") < pl.max_horizontal("freed_us", "ready_us"))
    )
    return both.height, both.filter(broken.fill_null(True))
