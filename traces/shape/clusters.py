"""Machines of several clusters: reading the clusters, and assigning jobs to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.common.units import DAY_US
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Machine, Workload

STREAMS = ("own", "dealt", "cut")
"""How jobs reach the clusters.

``own``: a model draws equally many jobs for each cluster, by the cluster's size. Each cluster has its own daily cycle.

``dealt``: the jobs of one stream go to the clusters in turn, each to the next cluster that is wide enough, or to the next one if
none is. All times since the first submission are divided by the number of clusters, so each cluster is about as loaded as the
single machine would be. The daily cycle shortens by the same factor.

``cut``: one stream is cut into consecutive pieces with equally many jobs, one per cluster. Pieces move back by whole days, so all
begin on the first day, and the hours of the day do not change.
"""

MOST_CLUSTERS = 2**15 - 1
"""Cluster numbers have 16 bits."""


@dataclass(frozen=True)
class ClusterLine(Parameters):
    """The parameters of a line of ``clusters``, besides ``name``."""

    name: ClassVar[str] = "a cluster"

    processors: int = parameter(128, "processors of the cluster", minimum=1, maximum=2**30)
    speed: float = parameter(
        1.0, "how fast they work, where run times are those at speed 1", minimum=0.001, maximum=1000
    )


class Line(NamedTuple):
    """A cluster as a line of ``clusters`` defines it."""

    name: str
    processors: int
    speed: float


def read_clusters(written: Any) -> tuple[Line, ...]:
    """Return the clusters of a definition, a list with a line per cluster.

    Raise :class:`ParameterError` when it is not such a list, or a line is invalid.
    """
    if not isinstance(written, Sequence) or isinstance(written, str) or not written:
        raise ParameterError(f"expected a list with a line per cluster, {{processors: 128}}; found {written!r}")
    if len(written) > MOST_CLUSTERS:
        raise ParameterError(f"a machine has at most {MOST_CLUSTERS:,} clusters; found {len(written):,}")
    clusters = [cluster_of(number, line) for number, line in enumerate(written)]
    names = [cluster.name for cluster in clusters]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ParameterError(
                f"two clusters are called '{name}': the {names.index(name) + 1}. and the {number + 1}."
            )
    return tuple(clusters)


def cluster_of(number: int, line: Any) -> Line:
    """Return the cluster of a line; the first line is number 0."""
    if not isinstance(line, Mapping) or not all(isinstance(key, str) for key in line):
        raise ParameterError(f"line {number + 1}: expected {{name: A, processors: 128, speed: 1}}; found {line!r}")
    values = dict(line)
    name = values.pop("name", default_name(number))
    if not isinstance(name, str) or not name:
        raise ParameterError(f"line {number + 1}: name: expected text; found {name!r}")
    if "processors" not in values:
        raise ParameterError(f"line {number + 1}: processors is missing; every cluster says how many it has")
    try:
        read = ClusterLine.build(values)
    except ParameterError as error:
        raise ParameterError(f"line {number + 1}: {error}") from error
    return Line(name, read.processors, float(read.speed))


def default_name(number: int) -> str:
    """Return the default name of a cluster: a letter, or beyond the alphabet its number from 1."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


def cluster_words(text: str) -> tuple[Line, ...]:
    """Return the clusters of the command line: ``4x128``, or ``128,128,64@2`` (the last at speed 2).

    Raise :class:`ParameterError` when the text has another form.
    """
    lines: list[dict[str, Any]] = []
    for part in text.split(","):
        size, _, speed = part.strip().partition("@")
        count, processors = size.split("x", 1) if "x" in size else ("1", size)
        try:
            line = {"processors": int(processors), **({"speed": float(speed)} if speed else {})}
            repeated = int(count)
        except ValueError:
            repeated = 0
        if not 0 < repeated <= MOST_CLUSTERS or part.strip().endswith("@"):
            raise ParameterError(
                f"expected clusters as 4x128 (four of 128 processors) or 128,128,64@2 (the last at speed 2); found '{text}'"
            )
        lines += [line] * repeated
    return read_clusters(lines)


def joined(streams: Iterable[Workload], clusters: tuple[Line, ...], provenance: dict[str, Any]) -> Workload:
    """Return the jobs of one stream per cluster on a machine of all clusters, numbered through the streams.

    The number of a job depends on its stream and its position in it, so it does not change with the load.
    """
    import polars as pl

    from scheduler_core.contracts import Workload

    parts, before = [], 0
    for home, stream in enumerate(streams):
        if stream.companions:
            raise ParameterError(
                f"the model's jobs have tables beside them ({', '.join(stream.companions)}), and no policy for several "
                "clusters reads these; leave 'clusters' out"
            )
        parts.append(
            stream.jobs.with_columns(
                job=pl.col("job").rank("ordinal").cast(pl.Int64) + before, home=pl.lit(home, pl.Int16)
            )
        )
        before += len(stream)
    jobs = pl.concat(parts).sort("submit_us", "job")
    return Workload(jobs, machine_of(clusters, provenance.get("source", "")), provenance)


def machine_of(clusters: tuple[Line, ...], name: Any) -> Machine:
    """Return the machine of some clusters, named after the source of its jobs."""
    from scheduler_core.contracts import Cluster, Machine

    made = tuple(Cluster(line.processors, speed=line.speed, name=line.name) for line in clusters)
    return Machine(name=str(name), clusters=made)


def distribute(workload: Workload, clusters: tuple[Line, ...], streams: str) -> Workload:
    """Return the jobs of one stream on several clusters, dealt or cut; see :data:`STREAMS`.

    Raise :class:`ParameterError` when ``streams`` is neither. Raise :class:`ContractError` when the jobs already belong to
    several clusters, or are tasks of workflows.
    """
    import polars as pl

    if streams not in ("dealt", "cut"):
        raise ParameterError(f"jobs of one stream are 'dealt' or 'cut'; found '{streams}'")
    if "home" in workload.jobs.columns or len(workload.machine.clusters) > 1:
        raise ContractError("the jobs are for clusters of their own already, so they cannot be distributed to others")
    if "tasks" in workload.companions:
        raise ContractError(
            "tasks of workflows belong to no cluster; distribute the jobs first, then split some of them"
        )
    if workload.companions:
        raise ContractError(
            f"jobs have tables beside them ({', '.join(workload.companions)}), and no policy for several clusters reads these"
        )
    jobs, count = workload.jobs, len(clusters)
    if streams == "dealt":
        homes = dealt(workload.column("size"), [cluster.processors for cluster in clusters])
        since = pl.col("submit_us") - pl.col("submit_us").first()
        moved = jobs.with_columns(submit_us=pl.col("submit_us").first() + since // count)
    else:
        place = pl.int_range(pl.len(), dtype=pl.Int64)
        homes = jobs.select((place * count // pl.len()).cast(pl.Int16)).to_series().to_numpy()
        day = pl.col("submit_us") // DAY_US
        back = day.first().over("home") - day.first()
        moved = jobs.with_columns(home=pl.Series(homes)).with_columns(submit_us=pl.col("submit_us") - back * DAY_US)
    moved = moved.with_columns(home=pl.Series(homes, dtype=pl.Int16)).sort("submit_us", "job")
    step = {
        "step": "clusters",
        "streams": streams,
        "from_machine": workload.machine.as_dict(),
        "jobs": [int((homes == home).sum()) for home in range(count)],
        "wider_than_their_cluster": wider(moved, [line.processors for line in clusters]),
    }
    return workload.transformed(moved, step, machine_of(clusters, workload.machine.name))


def dealt(sizes: np.ndarray, processors: Sequence[int]) -> np.ndarray:
    """Return the cluster of each job, dealt in turn: the next that is wide enough, or the next if none is."""
    import numpy as np

    count, widest = len(processors), max(processors)
    homes = np.arange(len(sizes), dtype=np.int64) % count
    if (sizes > min(processors)).any():
        turn = 0
        for place, size in enumerate(sizes.tolist()):
            home = turn % count
            while size <= widest and processors[home] < size:
                home = (home + 1) % count
            homes[place] = home
            turn = home + 1
    return homes.astype(np.int16)


def wider(jobs: pl.DataFrame, processors: Sequence[int]) -> int:
    """Return how many jobs are wider than their cluster; its scheduler rejects them."""
    import polars as pl

    local = jobs.filter(pl.col("home").is_not_null())
    return int((local["size"] > pl.Series(processors, dtype=pl.Int64).gather(local["home"])).sum())
