"""The oracle of the grid: weights and ranks of HEFT, from their formulas."""

from tests.oracles.grid.workload import Edge, Grid, Workflow


def weight(grid: Grid, flow: Workflow, task: int) -> float:
    """Return the mean estimate of a task over the clusters it fits: formula (1)."""
    job = flow.tasks[task - 1]
    lengths = [grid.on(job, cluster).estimate for cluster in grid.fits(job)]
    return sum(lengths) / len(lengths)


def transfer_weight(grid: Grid, flow: Workflow, edge: Edge) -> float:
    """Return the mean transfer of an edge over the ordered pairs of clusters: formula (2)."""
    one, other = (grid.fits(flow.tasks[task - 1]) for task in edge)
    times = [flow.transfer(edge, (here, there)) for here in one for there in other]
    return sum(times) / len(times)


def ranks(grid: Grid, flow: Workflow) -> dict[int, float]:
    """Return the rank of every task: formula (3), from the exit upward."""
    found: dict[int, float] = {}
    for task in range(len(flow.tasks), 0, -1):
        own = weight(grid, flow, task)
        paths = [own + transfer_weight(grid, flow, (task, after)) + found[after] for after in flow.after(task)]
        found[task] = max(paths, default=own)
    return found


def by_rank(found: dict[int, float]) -> list[int]:
    """Put tasks in the order in which they are mapped: by rank, the highest first, ties by number."""
    return sorted(found, key=lambda task: (-found[task], task))
