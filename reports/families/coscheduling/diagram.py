"""The diagram of shared processors: processors against time, with who shares them with whom, and at what speed.

Jobs on the same processor divide its height: by their shares of its time, or equally where they run at once. A suspended job
keeps a narrow strip, and the rest of the height is idle.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import polars as pl

from reports.diagrams.allocations import AllocationWindow, Tables, is_of, overlaps, place, table_of, tables_of_run
from reports.draw.charts import Row
from scheduler_core.common.errors import SlotwiseError

WHOLE = 1_000_000
"""A share of 1, in millionths."""
STRIP = WHOLE // 8
"""The weight of a suspended job, beside the shares of others, in the height of a processor."""


@dataclass(frozen=True, kw_only=True)
class CoschedulingWindow(AllocationWindow):
    """A window of one replication of a schedule in which jobs may share processors.

    Attributes
    ----------
    jobs
        A row per job that has processors in the window: its request, its outcome, and its ``kind``: its dominant resource or, if
        jobs request shares, its level; null if the workload states neither.
    allocations
        A row per allocation, and per time in which a job is suspended on its processors (``suspended``): ``place`` on the
        processors, ``share_ppm``, ``slowdown_ppm``, ``runs`` of processors, ``bands`` (the parts of shared processors' height
        that are the job's, as ``[low, high, low, ...]`` in processors), ``alone`` (the runs where it is by itself) and
        ``beside`` (the jobs there that are not suspended). Their ``slot`` is 0, as all are on one machine.
    """

    @property
    def stacked(self) -> bool:
        """Whether every job has a share of the whole machine, so that the height is a share."""
        held = self.allocations.filter(~pl.col("suspended"))
        parted = (pl.col("share_ppm") < WHOLE).any() & (pl.col("processors") == self.processors).all()
        return bool(held.height) and bool(held.select(parted).item())


def comparable(folder: Path) -> bool:
    """Return whether the diagram can draw a run: one of coscheduling, or one of space sharing to compare it with."""
    return is_of(folder, "coscheduling") or is_of(folder, "space_sharing")


def pair_changes(folder: Path) -> pl.Series:
    """Return when pairs were formed, in microseconds; space sharing forms none."""
    if not is_of(folder, "coscheduling"):
        return pl.Series("begin_us", [], dtype=pl.Int64)
    return table_of(folder, "matches").select("begin_us").collect()["begin_us"]


def read_window(folder: Path, begin_us: int, end_us: int) -> CoschedulingWindow:
    """Return a window of a run, with the kinds of jobs from the companion tables of its workload.

    Raises :class:`SlotwiseError` when the diagram cannot draw the run (:func:`comparable`), or the window is empty.
    """
    tables = tables_of_run(folder, "space_sharing" if is_of(folder, "space_sharing") else "coscheduling")
    return make_window(tables, begin_us, end_us, read_kinds(folder))


def read_kinds(folder: Path) -> pl.DataFrame | None:
    """Return the kinds of a workload's jobs: their levels where they ask for shares, else what dominates in them."""
    home = folder.parents[2] / "workloads"
    for table, column in (("shares", "level"), ("behaviour", "kind")):
        path = home / f"{folder.parent.name}.{table}.parquet"
        if path.is_file():
            found = pl.scan_parquet(path)
            if "replication" in found.collect_schema().names():
                found = found.filter(pl.col("replication") == 0)
            return found.select("job", pl.col(column).cast(pl.String).alias("kind")).collect()
    return None


def make_window(tables: Tables, begin_us: int, end_us: int, kinds: pl.DataFrame | None) -> CoschedulingWindow:
    """Return a window from the tables of one replication; see :func:`read_window`."""
    chosen = ("job", "slot", "begin_us", "end_us", "processors", "share_ppm", "slowdown_ppm", "processor_ids")
    held = tables.within("allocations", begin_us, end_us).sort("begin_us", "job")
    if "share_ppm" in held.columns:
        if held["processor_ids"].null_count():
            raise SlotwiseError(
                "a diagram of shared processors needs their names; found allocations without processor_ids"
            )
    else:
        held = held.with_columns(pl.lit(WHOLE).alias("share_ppm"), pl.lit(WHOLE).alias("slowdown_ppm"))
    suspended = suspensions(tables, begin_us, end_us)
    shown = held.select(*chosen, pl.lit(False).alias("suspended"))
    if suspended.height:
        shown = pl.concat([shown, suspended.select(*chosen, pl.lit(True).alias("suspended"))]).sort("begin_us", "job")
    runs, named = place(shown, tables.processors)
    shown = shown.with_columns(runs).rename({"slot": "place"})
    present = shown["job"].unique()
    jobs = tables.table("jobs").filter(pl.col("job").is_in(present.implode())).collect()
    kinds = kinds if kinds is not None else pl.DataFrame(schema={"job": pl.Int64, "kind": pl.String})
    return CoschedulingWindow(
        **tables.of_window(begin_us, end_us),
        jobs=jobs.join(kinds, on="job", how="left", maintain_order="left")
        .select("job", "kind", "size", "submit_us", "start_us", "finish_us", "runtime_us", "estimate_us", "preemptions",
                pl.col("outcome").cast(pl.String))
        .sort("submit_us", "job"),
        allocations=beside(shown).with_columns(pl.lit(0, dtype=pl.Int32).alias("slot")).drop("processor_ids"),
        named=named,
    )  # fmt: skip


def suspensions(tables: Tables, begin_us: int, end_us: int) -> pl.DataFrame:
    """Return the times in which jobs are suspended on their processors: the gaps between their allocations."""
    lasting = pl.col("end_us") > pl.col("begin_us")
    own = tables.table("allocations").filter(lasting & pl.col("job").is_duplicated()).sort("job", "begin_us")
    return (
        own.with_columns(pl.col("begin_us").shift(-1).over("job").alias("resumes_us"))
        .filter(pl.col("resumes_us") > pl.col("end_us"))
        .drop("begin_us")
        .rename({"end_us": "begin_us", "resumes_us": "end_us"})
        .filter(overlaps(begin_us, end_us))
        .collect()
    )


def beside(held: pl.DataFrame) -> pl.DataFrame:
    """Add to allocations their ``bands``, where they are ``alone`` and who is ``beside`` them; see :class:`CoschedulingWindow`.

    Who is on the processors of an allocation does not change while it lasts, and a partner has the lowest-numbered
    processors of its holder: jobs on the same processors have the first of them in common.
    """
    rows = held.rows(named=True)
    companies: dict[int, list[Row]] = {}
    for row in rows:
        companies.setdefault(row["runs"][0], []).append(row)
    bands, alone, jobs = [], [], []
    for row in rows:
        there = companies[row["runs"][0]]
        company = [one for one in there if one["begin_us"] < row["end_us"] and one["end_us"] > row["begin_us"]]
        parted, whole = parts_of(row, company)
        bands.append(parted)
        alone.append(whole)
        jobs.append([one["job"] for one in company if one["job"] != row["job"] and not one["suspended"]])
    return held.with_columns(
        pl.Series("bands", bands, dtype=pl.List(pl.Float64)),
        pl.Series("alone", alone, dtype=pl.List(pl.Float64)),
        pl.Series("beside", jobs, dtype=pl.List(pl.Int64)),
    )


def parts_of(row: Row, company: list[Row]) -> tuple[list[float], list[float]]:
    """Return the parts of a row's processors that are its own beside the rows there at the same time, and where it is alone.

    By shares the first to come lies lowest; of a pair the partner does, as the holder's other processors lie above.
    """
    weights = {id(one): STRIP if one["suspended"] else one["share_ppm"] for one in company}
    parted = any(one["share_ppm"] < WHOLE for one in company if not one["suspended"])
    order = sorted(company, key=lambda one: one["place"] if parted else -one["place"])
    edges = sorted({edge for one in company for edge in one["runs"]})
    bands: list[float] = []
    alone: list[float] = []
    for first, last in ranges(row["runs"]):
        for low, high in pairwise([first, *(edge for edge in edges if first < edge < last), last]):
            there = [one for one in order if any(a <= low and high <= b for a, b in ranges(one["runs"]))]
            whole = max(WHOLE, sum(weights[id(one)] for one in there))
            below = sum(weights[id(one)] for one in there[: there.index(row)])
            edge = [low + (high - low) * part / whole for part in (below, below + weights[id(row)])]
            (bands if len(there) > 1 else alone).extend(edge)
    return bands, alone


def ranges(flat: list[int]) -> list[tuple[int, int]]:
    """Return ``[first, last + 1, first, ...]`` as pairs."""
    return list(zip(flat[::2], flat[1::2], strict=True))
