"""The oracle of search paths: every strategy as a recursive generator, as the pseudocode has it (Kanavallil 2007, 3.3.2).

A tree is a tuple with the number of children at each depth; a path is a tuple of children.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Path = tuple[int, ...]
Item = TypeVar("Item")


def depth_first(tree: Path) -> Iterator[Path]:
    """Return the paths as a depth-first walk meets them."""
    if not tree:
        yield ()
        return
    for child in range(tree[0]):
        for rest in depth_first(tree[1:]):
            yield child, *rest


def depth_first_front(tree: Path) -> Iterator[Path]:
    """Walk the tree in which the last depth stands above all others, and turn its paths round."""
    for path in depth_first(tree[::-1]):
        yield path[::-1]


def lds_probe(tree: Path, k: int) -> Iterator[Path]:
    """LDS-PROBE of Figure 1, which goes on where the figure would return a goal."""
    if not tree:
        yield ()
    elif k == 0:
        for rest in lds_probe(tree[1:], 0):
            yield 0, *rest
    else:
        for child in range(1, tree[0]):
            for rest in lds_probe(tree[1:], k - 1):
                yield child, *rest
        for rest in lds_probe(tree[1:], k):
            yield 0, *rest


def lds(tree: Path) -> Iterator[Path]:
    """LDS of Figure 1."""
    for x in range(len(tree) + 1):
        yield from lds_probe(tree, x)


def ilds_probe(tree: Path, k: int) -> Iterator[Path]:
    """Go to the heuristic's child unless that leaves too few depths for k discrepancies, then to the others."""
    if not tree:
        yield ()
        return
    if sum(children > 1 for children in tree[1:]) >= k:
        for rest in ilds_probe(tree[1:], k):
            yield 0, *rest
    if k > 0:
        for child in range(1, tree[0]):
            for rest in ilds_probe(tree[1:], k - 1):
                yield child, *rest


def ilds(tree: Path) -> Iterator[Path]:
    """Korf's iterations: exactly k discrepancies in iteration k."""
    for k in range(sum(children > 1 for children in tree) + 1):
        yield from ilds_probe(tree, k)


def dds_probe(tree: Path, k: int) -> Iterator[Path]:
    """Choose freely while k > 1, a discrepancy at k = 1, then as the heuristic does."""
    if not tree:
        if k == 0:
            yield ()
        return
    children = {0: range(1), 1: range(1, tree[0])}.get(k, range(tree[0]))
    for child in children:
        for rest in dds_probe(tree[1:], max(k - 1, 0)):
            yield child, *rest


def dds(tree: Path) -> Iterator[Path]:
    """Walsh's iterations: the last discrepancy at the k-th depth in iteration k."""
    for k in range(len(tree) + 1):
        yield from dds_probe(tree, k)


STRATEGIES = {"depth_first": depth_first, "front_first": depth_first_front, "dds": dds, "ilds": ilds, "lds": lds}
"""By the name that `paths` has for each."""


def jobs_in_order(path: Path, jobs: Sequence[Item]) -> list[Item]:
    """Take, at each depth, the child-th of the jobs that remain."""
    remaining = list(jobs)
    return [remaining.pop(child) for child in path]
