"""Rules of placing: ranks, which clusters are asked and chosen, and time frames, all recomputed from the formulas."""

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import aligned, column_of, once
from scheduler_core.checker.grid.evidence import EDGE, GridEvidence
from scheduler_core.checker.slices.evidence import LONG, MEDIUM

ASKED = ("workflow", "task", "job", "cluster")
FRAME = ("from_us", "start_us", "finish_us", "earliest_us", "latest_us")


@once
def mean_transfers(evidence: GridEvidence) -> pl.DataFrame:
    """Return every edge with the mean time of its data over all ordered pairs of clusters that fit its two tasks.

    Pairs of a cluster with itself are included.
    """
    edges, sizes = evidence.edges, evidence.clusters
    counts = {
        f"{end}_clusters": pl.Series((column_of(edges, f"{end}_size")[:, None] <= sizes).sum(axis=1), dtype=pl.Int64)
        for end in ("from", "to")
    }
    edges = edges.with_columns(**counts)
    pairs = pl.col("from_clusters") * pl.col("to_clusters")
    # A cluster that fits the wider of the two tasks also fits the other; it forms one pair with itself.
    apart = pairs - pl.min_horizontal("from_clusters", "to_clusters")
    known, times = evidence.matrices
    sized = known.join(edges.select(*EDGE, "from_size", "to_size"), on=EDGE)
    fits = [column_of(sized, f"{end}_size")[:, None] <= sizes for end in ("from", "to")]
    totals = sized.select(*EDGE, total=np.einsum("eij,ei,ej->e", times[column_of(sized, "number")], *fits))
    edges = aligned(edges, totals, *EDGE)
    return edges.with_columns(mean=pl.coalesce("total", pl.col("transfer_us") * apart) / pairs)


@once
def ranks(evidence: GridEvidence) -> pl.DataFrame:
    """Return the rank of every task: its mean time plus the maximum that an edge and its successor add (formula 3)."""
    means = evidence.anywhere.group_by("job").agg(mean=pl.col("estimate_us").sum() / pl.len())
    tasks = aligned(evidence.tasks.filter("fits"), means, "job")
    edges, row = mean_transfers(evidence), tasks.select("job").with_row_index("row")
    for end in ("from", "to"):
        here = row.rename({"job": f"{end}_job", "row": f"{end}_row"})
        edges = aligned(edges, here, f"{end}_job")
    first, second, time = (column_of(edges, name) for name in ("from_row", "to_row", "mean"))
    mean = column_of(tasks, "mean")
    rank, number = mean.copy(), column_of(edges, "from_task")
    last_first = np.argsort(-number, kind="stable")  # successors have higher numbers, so their ranks are known
    for rows in np.split(last_first, np.flatnonzero(np.diff(number[last_first])) + 1):
        np.maximum.at(rank, first[rows], mean[first[rows]] + time[rows] + rank[second[rows]])
    return tasks.select("workflow", "task", "job", expected_rank=pl.Series(rank, dtype=pl.Float64))


def ranks_follow(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """A task's rank is its mean time plus the maximum, over its edges, of the edge's mean time and its successor's rank."""
    given = evidence.tables["reservations"].select("workflow", "task", "job", "rank")
    both = aligned(given, ranks(evidence), "workflow", "task", "job")
    return both.height, both.filter(pl.col("rank").ne_missing(pl.col("expected_rank")))


def bookings_follow_ranks(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Every task of a workflow that fits is booked once, at the workflow's submission, and tasks in the order of ranks.

    Workflows are ordered by submission, then number, and tasks of equal rank by task number. A policy without reservations books
    nothing.
    """
    key = ("workflow", "task", "job", "made_us")
    given = evidence.tables["reservations"].select(*key)
    if not evidence.reserves:
        return given.height, given
    due = placing_order(evidence).select(*key)
    place = due.with_row_index("due")
    known = aligned(given, place, *key)
    missing = due.join(given, on=key, how="anti")
    misplaced = pl.Series(range(given.height), dtype=pl.Int64).ne_missing(known["due"].cast(pl.Int64))
    late = known.filter(misplaced) if missing.is_empty() else known.filter(pl.col("due").is_null())
    return due.height + given.height, pl.concat([late.drop("due"), missing])


def placing_order(evidence: GridEvidence) -> pl.DataFrame:
    """Return the tasks in the order of placing, for policies that place a whole workflow at its submission."""
    tasks = ranks(evidence).join(evidence.freed.select("job", made_us="submit_us"), on="job", maintain_order="left")
    by_rank = [] if evidence.way == "independent" else [-pl.col("expected_rank")]
    return tasks.sort("made_us", "workflow", *by_rank, "task")


def candidates_are_all_asked(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """For every task each cluster that is large enough is asked, in order, one task after another.

    Workflows place their tasks at submission in the order of ranks, independent tasks in the order of task numbers. Tasks that
    are placed just in time follow the order in which their predecessors are done.
    """
    given = evidence.tables["candidates"].select(*ASKED)
    tasks = placing_order(evidence)
    if evidence.way == "just_in_time":
        tasks = in_given_order(evidence, tasks)
    due = tasks.select("workflow", "task", "job").join(
        evidence.anywhere.select("job", "cluster"), on="job", maintain_order="left_right"
    )
    missing = due.join(given, on=ASKED, how="anti").with_columns(found=pl.lit("not asked"))
    odd = given.join(due, on=ASKED, how="anti").with_columns(found=pl.lit("asked without need"))
    if missing.is_empty() and odd.is_empty():
        if given.height != due.height:
            odd = given.filter(pl.struct(*ASKED).is_duplicated()).with_columns(found=pl.lit("asked twice"))
        else:
            moved = (given["job"] != due["job"]) | (given["cluster"] != due["cluster"])
            odd = given.filter(moved).with_columns(found=pl.lit("asked in another order"))
    return due.height, pl.concat([missing, odd])


def in_given_order(evidence: GridEvidence, tasks: pl.DataFrame) -> pl.DataFrame:
    """Return tasks in the order in which they were freed; tasks freed at one time keep the order of the table."""
    given = evidence.tables["candidates"].select("job").unique("job", keep="first", maintain_order=True)
    freed = aligned(tasks, evidence.freed.select("job", "freed_at_us"), "job")
    place = aligned(freed, given.with_row_index("place"), "job")
    return place.sort("freed_at_us", "place", nulls_last=True)


def chosen_before(evidence: GridEvidence) -> pl.DataFrame:
    """Return where each task was placed and its latest finish, as known to its successors."""
    chosen = evidence.tables["candidates"].filter("chosen").unique("job", keep="first")
    return chosen.select("job", "cluster", "latest_us")


def expected_data(evidence: GridEvidence, asked: pl.DataFrame) -> pl.Series:
    """Return when each row's task expects its data on its cluster; null for a task without predecessors.

    That is the latest of the predecessors' latest finishes plus transfers. Just in time, the arrival is known.
    """
    rows = asked.select("job", to_cluster="cluster").with_row_index("row")
    if evidence.way == "just_in_time":
        before = evidence.edges_as_run.select(*EDGE, "to_job", "transfer_us", "from_cluster", latest_us="done_us")
    else:
        placed = chosen_before(evidence).rename({"job": "from_job", "cluster": "from_cluster"})
        before = aligned(evidence.edges, placed, "from_job")
    both = rows.join(before, left_on="job", right_on="to_job")
    if evidence.parameters["transfers_known"] == "mean" and evidence.way != "just_in_time":
        means = mean_transfers(evidence).select(*EDGE, time_us=rounded(pl.col("mean")))
        time = aligned(both, means, *EDGE)["time_us"]
    else:
        time = evidence.transfers_of(both)
    expected = (
        both.with_columns(expected_us=pl.col("latest_us") + time).group_by("row").agg(pl.col("expected_us").max())
    )
    return aligned(rows, expected, "row")["expected_us"]


def rounded(value: pl.Expr) -> pl.Expr:
    """Return a real number rounded to whole microseconds."""
    return (value + 0.5).floor().cast(pl.Int64)


def frames_again(evidence: GridEvidence, asked: pl.DataFrame) -> pl.DataFrame:
    """Return the frames that follow from the predictions.

    ``asked`` has the columns of candidates. The result has, row by row, ``expected_us`` (when data are expected), ``from_us``,
    ``earliest_us`` and ``latest_us``.
    """
    there = aligned(asked.select("job", "cluster"), evidence.anywhere, "job", "cluster")
    maf = evidence.parameters["maf"]
    ahead = there["kind"].replace_strict(
        {MEDIUM: maf * evidence.parameters["nbp_medium"], LONG: maf * evidence.parameters["nbp_long"]},
        default=0.0,
        return_dtype=pl.Float64,
    )
    times = aligned(asked.select("job"), evidence.placed_at, "job")
    rows = asked.with_columns(now=times["now_us"], length=there["estimate_us"], ahead=ahead)
    bound = pl.max_horizontal("now", expected_data(evidence, asked)) if evidence.waits else pl.col("now")
    return rows.with_columns(bound=bound).select(**{"expected_us": pl.col("bound"), **frame_of(evidence)})


def frame_of(evidence: GridEvidence) -> dict[str, pl.Expr]:
    """Return the frame as expressions over ``now``, ``bound``, ``length``, ``ahead`` and the predictions."""
    now, bound, length, ahead = (pl.col(name) for name in ("now", "bound", "length", "ahead"))
    start, finish = pl.col("start_us"), pl.col("finish_us")
    if not evidence.reserves:
        return {"from_us": bound, "earliest_us": bound, "latest_us": finish}
    slack = rounded(length * evidence.parameters["slpa"])
    latest = finish + rounded(length * evidence.parameters["slpb"])
    rule = evidence.parameters["frame_rule"]
    if rule == "rigid":
        return {"from_us": bound, "earliest_us": start, "latest_us": latest}
    if rule == "spare_time":
        begin = now + rounded((bound - now + slack) / (1 - ahead))
        return {"from_us": begin, "earliest_us": bound, "latest_us": latest}
    taken = start if rule == "scheduled_start" else bound
    earliest = pl.max_horizontal(now, taken - slack - rounded(ahead * (taken - now)))
    if rule == "earliest_start":
        return {"expected_us": earliest, "from_us": earliest, "earliest_us": earliest, "latest_us": latest}
    return {"from_us": bound, "earliest_us": earliest, "latest_us": latest}


def frames_follow(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Frames follow from formulas (4) to (6), the parameters and the predictions, for every cluster that was asked.

    A prediction begins no earlier than requested and takes at least the estimate. A booking has the frame of the chosen cluster,
    and expects its data at the time predicted for it.
    """
    given = evidence.tables["candidates"].select(*ASKED, *FRAME)
    again = frames_again(evidence, given)
    length = aligned(given.select("job", "cluster"), evidence.anywhere, "job", "cluster")
    right = pl.all_horizontal(given[name].eq_missing(again[name]) for name in ("from_us", "earliest_us", "latest_us"))
    whole = (pl.col("start_us") >= pl.col("from_us")) & (
        pl.col("finish_us") - pl.col("start_us") >= length["estimate_us"].fill_null(0)
    )
    due = {f"due_{name}": again[name] for name in ("from_us", "earliest_us", "latest_us")}
    wrong = given.with_columns(**due).filter(~(right & whole))
    chosen = evidence.tables["candidates"].select("chosen").to_series()
    frames = given.with_columns(expected_us=again["expected_us"]).filter(chosen)
    columns = (*ASKED, *FRAME, "expected_us")
    booked = evidence.tables["reservations"].select(*columns)
    other = booked.join(frames, on=columns, how="anti")
    return given.height + booked.height, pl.concat([wrong, other], how="diagonal")


def best_cluster_is_chosen(evidence: GridEvidence) -> tuple[int, pl.DataFrame]:
    """Of the clusters asked for a task, the one with the least latest finish is chosen, and the task runs there.

    Ties go to the first cluster. With ``ties="least_loaded"`` they go to the cluster whose placed, unfinished tasks ask for the
    least work, by their estimates there, then to the first.
    """
    given = evidence.tables["candidates"].with_row_index("place")
    keys = ["latest_us", "place"]
    if evidence.parameters["ties"] == "least_loaded":
        given = given.with_columns(load=load_of_clusters(evidence, given))
        keys = ["latest_us", "load", "place"]
    best = given.sort("job", *keys).unique("job", keep="first").select("place", best=pl.lit(True))
    ran = evidence.clusters_of_jobs.rename({"cluster": "ran_on"})
    both = aligned(aligned(given, best, "place"), ran, "job")
    wrong = (pl.col("chosen") != pl.col("best").fill_null(False)) | (
        pl.col("chosen") & pl.col("cluster").ne_missing(pl.col("ran_on"))
    )
    return both.height, both.filter(wrong).select(*ASKED, "latest_us", "chosen", "ran_on")


def load_of_clusters(evidence: GridEvidence, given: pl.DataFrame) -> pl.Series:
    """Return the work, by estimates, of tasks placed on each row's cluster before and not done when the row was asked."""
    work = evidence.anywhere.select("job", "cluster", work=pl.col("estimate_us") * pl.col("size"))
    done, now = evidence.held.select("job", done_us="end_us"), evidence.placed_at
    rows = aligned(given, work, "job", "cluster")
    rows = aligned(aligned(rows, done, "job"), now, "job")
    load = np.zeros(rows.height, np.int64)
    cluster, first = column_of(rows, "cluster"), column_of(rows, "place").astype(np.int64)
    for number in range(len(evidence.clusters)):
        asked = np.flatnonzero(cluster == number)
        placed = rows.filter(pl.col("chosen") & (pl.col("cluster") == number))
        left = placed.sort("done_us")
        before = np.concatenate([[0], np.cumsum(column_of(placed, "work"))])
        gone = np.concatenate([[0], np.cumsum(column_of(left, "work"))])
        load[asked] = before[np.searchsorted(column_of(placed, "place"), first[asked])]
        load[asked] -= gone[np.searchsorted(column_of(left, "done_us"), column_of(rows, "now_us")[asked], side="right")]
    return pl.Series(load)
