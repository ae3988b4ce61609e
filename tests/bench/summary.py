"""Hold the engine's speed against the bare kernel and keep the figures: `make bench` runs it after `slotwise bench`.

Usage: python -m tests.bench.summary FOLDER, where FOLDER/latest.json was written by `slotwise bench --json`. The figures
are appended to FOLDER/history.jsonl with the date and the versions, so that they can be compared over commits.
"""

import json
import platform
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from scheduler_core.stepping.local_scheduler import Request, local_scheduler
from slotwise.cli.bench import fixed_workloads
from tests.bench.bare_easy import bare_easy


def seconds_of(call, repeats=7):
    """Return the shortest of several runs, after one that is not counted."""
    call()
    timed = []
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        timed.append(time.perf_counter() - begun)
    return min(timed)


def predictions_per_second(policy, workload, count=10_000):
    """Return how many predictions a cluster makes in a second, in the middle of its local jobs."""
    jobs = workload.jobs.filter(workload.jobs["home"] == 0).drop("home")
    scheduler = local_scheduler(get_policy(policy), workload.machine.clusters[0].processors)
    scheduler.submit_many(jobs)
    now = jobs["submit_us"][jobs.height // 2]
    scheduler.advance(now)
    request = Request(16, 5_000_000_000)
    return count / seconds_of(lambda: [scheduler.predict(request, now) for _ in range(count)], repeats=3)


def main(folder: Path) -> None:
    """Print the table and append to the history."""
    results = json.loads((folder / "latest.json").read_text(encoding="utf-8"))
    for entry in results:
        print(f"{entry['workload']:18s} {entry['policy']:34s} {entry['jobs_per_second']:14,.0f} jobs/s")
    ratios, predictions = {}, {}
    for name, workload in fixed_workloads():
        if "home" in workload.jobs.columns:
            predictions = {word: predictions_per_second(word, workload) for word in ("pect", "easy", "conservative")}
            for word, count in predictions.items():
                print(f"{name:18s} {word:34s} {count:14,.0f} predictions/s")
        if workload.companions:
            continue
        arrays = [workload.column(column) for column in ("submit_us", "runtime_us", "estimate_us", "size")]
        bare = seconds_of(lambda arrays=arrays, machine=workload.machine: bare_easy(*arrays, machine.processors))
        ratios[name] = bare / seconds_of(lambda workload=workload: simulate(workload, "easy"))
        print(f"{name:18s} EASY through simulate() at {ratios[name]:.2f} of the speed of a bare kernel")
    entry = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": platform.processor() or platform.machine(),
        "versions": {package: version(package) for package in ("numba", "numpy", "polars")},
        "jobs_per_second": {f"{r['workload']}: {r['policy']}": round(r["jobs_per_second"]) for r in results},
        "easy_to_bare_kernel": ratios,
        "predictions_per_second": {word: round(count) for word, count in predictions.items()},
    }
    with (folder / "history.jsonl").open("a", encoding="utf-8") as history:
        history.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
