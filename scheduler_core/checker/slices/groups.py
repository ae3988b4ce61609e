"""Rules of groups of jobs whose order was optimised: their members, when they form and end, and their searches."""

from math import factorial

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of, counters_agree
from scheduler_core.checker.slices.evidence import LONG, MEDIUM, ClassTime, SlicesEvidence
from scheduler_core.common.units import MICROSECONDS, NEVER_US

TOLERANCE = 1e-9  # for sums and limits in double precision
SUMMED = ("orders", "tree_nodes", "pruned", "pruned_leaves", "placements")


def groups_in_order(evidence: SlicesEvidence) -> pl.DataFrame:
    """Return the groups by number, each with its class number and the next group of that class."""
    groups = evidence.tables["groups"].with_columns(kind=pl.col("class").to_physical().cast(pl.Int64)).sort("group")
    following = {f"next_{name}": pl.col(name).shift(-1).over("kind") for name in ("group", "formed_us")}
    return groups.with_columns(**following)


def of_class(evidence: SlicesEvidence, groups: pl.DataFrame, name: str) -> np.ndarray:
    """Return, for each group, the value of a parameter that medium and long groups have separately."""
    medium, long = (evidence.class_time.parameters[f"{name}_{word}"] for word in ("medium", "long"))
    return np.array([{MEDIUM: medium, LONG: long}.get(kind, np.nan) for kind in groups["kind"]], float)


def waiting_at_formation(evidence: SlicesEvidence, groups: pl.DataFrame) -> pl.DataFrame:
    """List, in queue order, the jobs that wait in the group's class when it forms.

    A group forms in a slice of its class, before own jobs start and in the only pass of that instant. So a job of the class that
    starts at that instant was still waiting.
    """
    jobs = evidence.class_time.jobs.with_row_index("position")
    both = groups.select("group", "kind", "formed_us").join(jobs, on="kind")
    waiting = both.filter(pl.col("formed_us").is_between("submit_us", "start_us")).sort("group", "position")
    return waiting.with_columns(queue_place=pl.int_range(1, pl.len() + 1).over("group"))


def groups_form_by_the_rules(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A group forms in a slice of its class, when enough of its jobs wait and ask for enough processors and work.

    Groups are numbered as they form; only policies that optimise orders have any.
    """
    groups = groups_in_order(evidence)
    if groups.is_empty():
        return NOTHING_CHECKED
    shown = groups.select("group", "class", "formed_us", "jobs")
    if not evidence.facts.groups:
        return groups.height, shown
    waiting = waiting_at_formation(evidence, groups)
    work = pl.col("size").cast(pl.Float64) * pl.col("estimate_us")
    sums = waiting.group_by("group").agg(waiting=pl.len(), asked=pl.col("size").cast(pl.Int64).sum(), work=work.sum())
    both = aligned(groups.select("group"), sums, "group").fill_null(0)
    count, processors = column_of(both, "waiting").astype(np.int64), evidence.machine.processors
    least, most, size_factor, work_factor, run_s = (
        of_class(evidence, groups, f"group_{name}") for name in ("min", "max", "size_factor", "work_factor", "run_s")
    )
    work_least = work_factor * run_s * MICROSECONDS * processors
    asks = column_of(both, "asked") > size_factor * processors * (1 - TOLERANCE)
    works = column_of(both, "work") > work_least * (1 - TOLERANCE)
    enough = (count >= least) & (column_of(groups, "jobs") == np.minimum(count, most)) & asks & works
    formed, number = column_of(groups, "formed_us"), column_of(groups, "group")
    in_slice = evidence.class_time.works_at(column_of(groups, "kind"), formed)
    in_turn = (number == np.arange(1, len(number) + 1)) & (np.diff(formed, prepend=0) >= 0)
    wrong = ~(enough & in_slice & in_turn) | (column_of(groups, "cluster") != 0)
    shown = shown.with_columns(waiting=pl.Series(count), asked=both["asked"], work_us=both["work"])
    return groups.height, shown.filter(pl.Series(wrong))


def members_are_the_first_of_the_queue(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A group's members are the first of its class's queue when it forms, each once, in places 1, 2, ...

    When it forms, no job of the class is planned, so queue order is by submission, then position.
    """
    groups, members = groups_in_order(evidence), evidence.tables["members"].select("cluster", "group", "place", "job")
    waiting = waiting_at_formation(evidence, groups).join(groups.select("group", "jobs"), on="group")
    first = waiting.filter(pl.col("queue_place") <= pl.col("jobs")).select("group", "job", waits=pl.lit(True))
    both = members.join(first, on=["group", "job"], how="full", coalesce=True)
    again = pl.struct("group", "job").is_duplicated() | pl.struct("group", "place").is_duplicated()
    in_places = pl.col("place").is_between(1, pl.len().over("group"))
    wrong = pl.col("waits").is_null() | pl.col("place").is_null() | again | ~in_places | (pl.col("cluster") != 0)
    return members.height, both.filter(wrong).select("group", "place", "job", "waits").sort("group", "place", "job")


def groups_end_by_the_rules(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A class has one group at a time, open until it ends, and it ends no later than it must.

    A group ends in a slice of its class: when all its members are done; when a job is done (the tables do not say whether it is
    the group's finish job); or when all its members have started and the next group of the class forms.
    Once all members are done, it ends with the next pass in a slice of its class; without such a pass, with the last finish.
    """
    time, groups = evidence.class_time, groups_in_order(evidence)
    jobs = time.jobs.select("job", "start_us", "finish_us")
    members = evidence.tables["members"].join(jobs, on="job").group_by("group")
    latest = members.agg(started=pl.col("start_us").max(), done=pl.col("finish_us").max())
    both = aligned(groups, latest, "group")
    both = both.with_columns(pl.col("started", "done").fill_null(NEVER_US))
    kind, ended, done = (column_of(both, name) for name in ("kind", "ended_us", "done"))
    finishes = time.column("finish_us")
    in_pass = time.works_at(kind, ended)
    due = first_pass(time, kind, done, int(max(finishes[finishes < NEVER_US], default=0)))
    all_done, some_done = done <= ended, np.isin(ended, finishes)
    replaced = (both["next_formed_us"] == both["ended_us"]).fill_null(False) & (both["started"] < both["ended_us"])
    ends = (in_pass & (all_done | some_done | replaced.to_numpy())) | (all_done & (ended == due))
    early = (both["next_formed_us"] < both["ended_us"]).fill_null(False).to_numpy()
    wrong = ~ends | early | (ended > due) | (ended <= column_of(both, "formed_us"))
    shown = both.select("group", "class", "formed_us", "ended_us", "next_formed_us", members_done_us="done")
    return groups.height, shown.filter(pl.Series(wrong))


def first_pass(time: ClassTime, kind: np.ndarray, from_us: np.ndarray, last_us: int) -> np.ndarray:
    """Return the first instant, from a given one on, at which a slice of the class works; at most the last finish."""
    at = from_us.copy()
    for number in np.unique(kind):
        work = np.concatenate([time.work[time.kind == number], [NEVER_US]])
        later = (kind == number) & ~time.works_at(kind, from_us)
        at[later] = work[np.searchsorted(work, from_us[later])]
    return np.minimum(at, np.maximum(last_us, from_us))


def long_wide_jobs_are_counted(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """The first level orders the long-wide members if there are enough, at most ``long_wide_max`` of them; else none."""
    groups = groups_in_order(evidence)
    if not evidence.facts.groups or groups.is_empty():
        return NOTHING_CHECKED
    time, processors = evidence.class_time, evidence.machine.processors
    size_from = of_class(evidence, groups, "long_wide_size") * processors
    run_from = of_class(evidence, groups, "group_run_s") * MICROSECONDS
    limits = groups.select("group", size_from=pl.Series(size_from), run_from=pl.Series(run_from))
    members = evidence.tables["members"].join(time.jobs, on="job").join(limits, on="group")
    least, most = time.parameters["long_wide_min"], time.parameters["long_wide_max"]
    found = []
    for slack in (1 + TOLERANCE, 1 - TOLERANCE):  # a product at the limit may round either way
        wide = (pl.col("size") >= pl.col("size_from") * slack) & (pl.col("estimate_us") >= pl.col("run_from") * slack)
        count = aligned(groups.select("group"), members.group_by("group").agg(wide=wide.sum()), "group")
        wide_jobs = count["wide"].fill_null(0).cast(pl.Int64).to_numpy()
        found.append(np.where(wide_jobs >= least, np.minimum(wide_jobs, most), 0))
    stated = column_of(groups, "long_wide")
    shown = groups.select("group", "class", "long_wide").with_columns(expected=pl.Series(found[1], dtype=pl.Int64))
    return groups.height, shown.filter(pl.Series((stated != found[0]) & (stated != found[1])))


def parts_of(evidence: SlicesEvidence, groups: pl.DataFrame) -> pl.DataFrame:
    """List the parts of each group that are searched: the size of a part, and how many orders it has at most."""
    time = evidence.class_time
    if not evidence.facts.groups or not time.parameters["second_level"]:
        return pl.DataFrame(schema={"group": pl.Int64, "part": pl.Int64, "size": pl.Int64, "most_orders": pl.Int64})
    jobs = pl.col("jobs")
    split = (jobs == pl.Series(of_class(evidence, groups, "group_max"))) & (jobs > 1)
    second = groups.filter(split).select("group", part=pl.lit(1, pl.Int64), size=jobs // 2)
    first = groups.select("group", part=pl.lit(0, pl.Int64), size=pl.when(split).then(jobs - jobs // 2).otherwise(jobs))
    parts = pl.concat([first, second])
    most = int(time.parameters["orders"])
    again = time.parameters["paths"] == "lds"  # generates some paths twice
    orders = [most if again or size > 20 else min(most, factorial(size)) for size in parts["size"].clip(0)]
    return parts.with_columns(most_orders=pl.Series(orders, dtype=pl.Int64))


def searches_are_recorded(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A search begins with the heuristic's order; each improvement lowers the slowdown and comes no earlier in the search.

    Every part of a group is searched, with at most ``orders`` orders, and no more than the part has unless the search may
    generate some twice. No slowdown is below the number of jobs placed so far, because each job has at least 1.
    """
    groups, found = groups_in_order(evidence), evidence.tables["improvements"].with_row_index("row")
    parts = parts_of(evidence, groups)
    before = pl.col("size").cum_sum().over("group", order_by="part")
    both = aligned(found, parts.with_columns(jobs_so_far=before), "group", "part")
    same = pl.all_horizontal(pl.col(name) == pl.col(name).shift(1) for name in ("group", "part"))
    falls = (pl.col("slowdown") < pl.col("slowdown").shift(1)) & (pl.col("orders") >= pl.col("orders").shift(1))
    begins = (pl.col("orders") == 1) & pl.struct("group", "part").is_first_distinct()
    sound = pl.when(same.fill_null(False)).then(falls).otherwise(begins)
    at_least = pl.col("slowdown") >= pl.col("jobs_so_far") * (1 - TOLERANCE)
    within = (pl.col("orders") <= pl.col("most_orders")) & at_least
    wrong = both.filter(~(sound & within).fill_null(False) | (pl.col("cluster") != 0))
    missing = parts.join(found, on=["group", "part"], how="anti").select("group", "part")
    shown = wrong.select("group", "part", "orders", "slowdown")
    return found.height + parts.height, pl.concat([shown, missing], how="diagonal")


def searches_fit_their_groups(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """A group's orders, tree nodes and slowdowns agree with its search.

    * It generated all orders of the group, up to the limit, and at least as many as its improvements need.
    * There are at least as many tree nodes as jobs, and no more cuts than tree nodes; without ``branch_and_bound`` there are no
      cuts.
    * The chosen slowdown is no less than the least one found; the two are equal if only the slowdown decides.
    * The first order of a group in one part is the heuristic's; without a search it is the chosen one.
    """
    groups, found = groups_in_order(evidence), evidence.tables["improvements"]
    if groups.is_empty() or not evidence.facts.groups:
        return NOTHING_CHECKED
    time, parts = evidence.class_time, parts_of(evidence, groups)
    limits = parts.group_by("group").agg(most_orders=pl.col("most_orders").sum(), parts=pl.len())
    first = found.group_by("group", maintain_order=True).agg(first_slowdown=pl.col("slowdown").first())
    last = found.filter(pl.col("part") == pl.col("part").max().over("group")).group_by("group")
    least = last.agg(least_slowdown=pl.col("slowdown").min())
    of_part = found.group_by("group", "part").agg(pl.col("orders").max())
    latest = of_part.group_by("group").agg(found=pl.col("orders").sum())
    both = groups
    for table in (limits, first, least, latest):
        both = aligned(both, table, "group")
    cuts, searched = pl.col("pruned") + pl.col("pruned_leaves"), pl.col("parts").is_not_null()
    at_least, chosen, heuristic = pl.col("least_slowdown"), pl.col("slowdown"), pl.col("heuristic_slowdown")
    tight = pl.lit(time.parameters["select"] == "slowdown")
    kept = [
        pl.all_horizontal(pl.col(SUMMED) >= 0),
        pl.when(searched).then(pl.col("orders").is_between("found", "most_orders")).otherwise(pl.col("orders") == 0),
        pl.lit(time.parameters["paths"] == "lds") | ~searched | (pl.col("orders") == pl.col("most_orders")),
        pl.lit(bool(time.parameters["branch_and_bound"])) | (cuts == 0),
        ~searched | (pl.col("tree_nodes") >= pl.col("jobs")),
        cuts <= pl.col("tree_nodes"),
        pl.min_horizontal(chosen, heuristic) >= pl.col("jobs") * (1 - TOLERANCE),
        ~searched | (chosen >= at_least * (1 - TOLERANCE)),
        ~(searched & tight) | (chosen <= at_least * (1 + TOLERANCE)),
        searched | (chosen == heuristic),
        (pl.col("parts") != 1) | ((pl.col("first_slowdown") / heuristic - 1).abs() <= TOLERANCE),
    ]
    holds = pl.all_horizontal(rule.fill_null(True) for rule in kept)
    columns = ("group", "jobs", *SUMMED[:4], "heuristic_slowdown", "slowdown", "most_orders", "least_slowdown")
    return groups.height, both.filter(~holds).select(*columns)


def groups_are_counted(evidence: SlicesEvidence) -> tuple[int, pl.DataFrame]:
    """The counters of groups, their jobs and their searches equal the sums of the tables.

    The planned jobs that started in another class's slice are members that did so while their group was open.
    """
    groups, members = groups_in_order(evidence), evidence.tables["members"]
    lent = evidence.class_time.runs.filter("first", ~pl.col("own")).select("job", "begin_us")
    planned = members.join(groups, on="group").join(lent, on="job")
    expected = {
        "groups_medium": int((groups["kind"] == MEDIUM).sum()),
        "groups_long": int((groups["kind"] == LONG).sum()),
        "grouped": members.height,
        "planned_elsewhere": int(planned["begin_us"].is_between(planned["formed_us"], planned["ended_us"]).sum()),
    }
    if not evidence.facts.searches:  # the policy searches at every event, without groups
        expected |= {name: int(groups[name].sum()) for name in SUMMED}
    return counters_agree(evidence, expected)
