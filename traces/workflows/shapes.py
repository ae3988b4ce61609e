"""Drawing workflows of well-known shapes: the graph and relative run times, without an amount of work.

Tasks of one kind run about equally long. A kind's run time is uniform from 0.5 to 1.5, and each task's is within 10 % of it. All
dependencies send the same amount of data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError, nearest
from traces.workflows.graph import Graph, Task, make_graph

if TYPE_CHECKING:
    import numpy as np

KIND_SPREAD = (0.5, 1.5)
TASK_SPREAD = (0.9, 1.1)

EDGE_CHANCE = 0.5
"""Probability that a task of a layered graph waits for a further task of the layer above."""

Plan = tuple[list[str], set[tuple[int, int]]]
"""The kinds of the tasks, and the dependencies by position from 0."""


def chain(width: int, depth: int, rng: np.random.Generator) -> Plan:
    """Return tasks one after the other."""
    del width, rng
    return [f"step {k}" for k in range(1, depth + 1)], {(k, k + 1) for k in range(depth - 1)}


def fork_join(width: int, depth: int, rng: np.random.Generator) -> Plan:
    """Return single tasks alternating with several in parallel, ending with a single task."""
    del rng
    kinds, pairs = ["split"], set()
    last = 0
    for stage in range(1, max(1, depth // 2) + 1):
        begin = len(kinds)
        kinds += [f"work {stage}"] * width
        kinds.append("join")
        join = len(kinds) - 1
        pairs |= {(last, k) for k in range(begin, join)} | {(k, join) for k in range(begin, join)}
        last = join
    return kinds, pairs


def layered(width: int, depth: int, rng: np.random.Generator) -> Plan:
    """Return layers of up to ``width`` tasks; each waits for one task of the layer above, and for others at random."""
    kinds, pairs, above = ["first"], set(), [0]
    for layer in range(1, depth - 1):
        here = list(range(len(kinds), len(kinds) + int(rng.integers(1, width + 1))))
        kinds += [f"layer {layer}"] * len(here)
        for task in here:
            sure = int(rng.integers(len(above)))
            drawn = rng.random(len(above)) < EDGE_CHANCE
            pairs |= {(before, task) for k, before in enumerate(above) if k == sure or drawn[k]}
        waited_for = {before for before, _ in pairs}
        left = [before for before in above if before not in waited_for]
        pairs |= {(before, here[0]) for before in left}
        above = here
    kinds.append("last")
    pairs |= {(before, len(kinds) - 1) for before in above}
    return kinds, pairs


def montage(width: int, depth: int, rng: np.random.Generator) -> Plan:
    """Return a mosaic of ``width`` images, as Montage makes them.

    The workflow projects each image, compares neighbours, fits a model of the background, subtracts it from each image and
    adds the images.
    """
    del depth, rng
    kinds = ["stage in"] + ["mProject"] * width + ["mDiffFit"] * (width - 1)
    project, difference = range(1, width + 1), range(width + 1, 2 * width)
    concat = len(kinds)
    model = concat + 1
    kinds += ["mConcatFit", "mBgModel"] + ["mBackground"] * width
    background = range(model + 1, model + 1 + width)
    table = len(kinds)
    kinds += ["mImgtbl", "mAdd", "mShrink", "mJPEG"]
    pairs = {(0, k) for k in project}
    pairs |= {(project[k + near], compared) for k, compared in enumerate(difference) for near in (0, 1)}
    pairs |= {(compared, concat) for compared in difference} | {(concat, model)}
    pairs |= {pair for own, image in zip(background, project, strict=True) for pair in ((model, own), (image, own))}
    pairs |= {(own, after) for own in background for after in (table, table + 1)}
    pairs |= {(table + k, table + k + 1) for k in range(3)}
    return kinds, pairs


SHAPES: dict[str, Callable[[int, int, np.random.Generator], Plan]] = {
    "chain": chain,
    "fork_join": fork_join,
    "layered": layered,
    "montage": montage,
}
"""Every shape, as a function of width, depth and generator."""

LEAST_WIDTH, LEAST_DEPTH = 2, 3


def draw(shape: str, width: int, depth: int, rng: np.random.Generator) -> Graph:
    """Return a drawn workflow of one of :data:`SHAPES`.

    ``width``, at least 2, is the number of tasks in parallel: of a fork, images of a mosaic, at most of a layer; chains ignore
    it. ``depth``, at least 3, is the number of levels: tasks of a chain, layers, twice the forks; mosaics ignore it. Raise
    :class:`ParameterError` for an unknown shape, or a width or depth that is too small.
    """
    if shape not in SHAPES:
        raise ParameterError(f"there is no shape of workflows '{shape}'; {nearest(shape, SHAPES)}")
    if width < LEAST_WIDTH or depth < LEAST_DEPTH:
        raise ParameterError(
            f"a workflow of a shape has a width of at least {LEAST_WIDTH} and a depth of at least {LEAST_DEPTH}; found "
            f"{width} and {depth}"
        )
    kinds, pairs = SHAPES[shape](width, depth, rng)
    return make_graph(shape, list(tasks_of(kinds, rng)), dict.fromkeys(sorted(pairs), 0))


def tasks_of(kinds: list[str], rng: np.random.Generator) -> Iterable[Task]:
    """Yield the tasks; run times are about equal within a kind."""
    of_kind = {kind: float(rng.uniform(*KIND_SPREAD)) for kind in dict.fromkeys(kinds)}
    for number, kind in enumerate(kinds, start=1):
        yield Task(f"{kind} {number}", of_kind[kind] * float(rng.uniform(*TASK_SPREAD)), kind=kind)
