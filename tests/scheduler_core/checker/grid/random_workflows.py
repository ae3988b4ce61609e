"""Workloads of grids, drawn by chance: unequal clusters, local jobs, workflows with matrices or without; times are small."""

import random

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.contracts.machine import Cluster

S = 1_000_000
ASKED = {**WORKLOAD_COLUMNS, "class": WORKLOAD_OPTIONAL["class"], "home": WORKLOAD_OPTIONAL["home"]}
LENGTHS = ((1, 30), (30, 150), (150, 500))  # of short, medium and long jobs where intervals are of two minutes


def random_grid(seed, local=30, workflows=4, gap_s=25, unit=S):
    """Draw a workload; ``unit`` is the least difference of times: with a second many things happen at one time."""
    draw = random.Random(seed)
    clusters = tuple(
        Cluster(draw.choice((4, 8, 16)), speed=draw.choice((1.0, 1.0, 2.0, 0.75))) for _ in range(draw.randint(2, 4))
    )
    jobs, tasks, edges, transfers, run_times, time = [], [], [], [], [], 0

    def whole(low, high):
        return draw.randint(low * S // unit, high * S // unit) * unit

    def asks(number, size, home):
        runtime = max(unit, whole(*draw.choice(LENGTHS)))
        estimate = max(unit, int(runtime * draw.choice((0.7, 1, 1, 1.6))))
        stated = draw.choice((None, None, None, None, "short", "medium", "long"))
        jobs.append((number, time, runtime, estimate, size, stated, home))
        if draw.random() < 0.2:
            run_times.extend((number, cluster, max(unit, whole(1, 300))) for cluster in range(len(clusters)))

    kinds = ["local"] * local + ["workflow"] * workflows
    draw.shuffle(kinds)
    number = 0
    for kind in kinds:
        time += draw.choice((0, 0, 10 * S, whole(0, gap_s), 600 * S * (draw.random() < 0.05)))
        number += 1
        if kind == "local":
            home = draw.randrange(len(clusters))
            asks(number, draw.randint(1, clusters[home].processors + (draw.random() < 0.03)), home)
            continue
        count, workflow, most = draw.choice((1, 2, 3, 5, 5, 8)), number, max(c.processors for c in clusters)
        for task in range(1, count + 1):
            asks(number, draw.randint(1, most if draw.random() < 0.3 else min(4, most)), None)
            tasks.append((number, workflow, task))
            number += task < count
        if draw.random() < 0.08:
            jobs[-1] = (*jobs[-1][:4], most + 1, *jobs[-1][5:])
        for first, second in random_edges(draw, count):
            edges.append((workflow, first, second, 0, whole(0, draw.choice((0, 20, 100)))))
            if draw.random() < 0.3:
                pairs = [(a, b) for a in range(len(clusters)) for b in range(len(clusters))]
                transfers.extend((workflow, first, second, *pair, whole(0, 60)) for pair in pairs)
    rows = {"tasks": tasks, "edges": edges, "transfers": transfers, "run_times": run_times}
    companions = {
        name: pl.DataFrame(given, schema=dict(COMPANIONS[name].columns), orient="row") for name, given in rows.items()
    }
    asked = pl.DataFrame(jobs, schema=ASKED, orient="row").sort("submit_us", "job")
    return Workload(asked, Machine(clusters=clusters), companions=companions)


def random_edges(draw, count):
    """Draw the edges of a workflow of one root and one exit: every other task has a predecessor and a successor."""
    edges = set()
    for task in range(2, count + 1):
        edges.add((draw.randint(1, task - 1) if task < count else task - 1, task))
    for task in range(1, count):
        if not any(first == task for first, _ in edges):
            edges.add((task, draw.randint(task + 1, count)))
        if task + 1 < count and draw.random() < 0.3:
            edges.add((task, draw.randint(task + 1, count)))
    return sorted(edges)
