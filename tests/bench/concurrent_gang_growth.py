"""Time and memory of one run of Concurrent Gang, and how both grow with the processors of the machine.

Usage: python -m tests.bench.concurrent_gang_growth [PROCESSORS ...], without them 16, 64, 256 and 1024.

10,000 jobs are there at time 0: any size up to the machine's, run times of 1 to 20 s, a third each I/O, messages and computing.
They run to the end under gang scheduling with measurements. Each machine has a process of its own, for its memory.
"""

import json
import resource
import subprocess
import sys
import time

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from traces.build import build_workload

MACHINES = (16, 64, 256, 1024)
JOBS = 10_000
POLICY = "gang_rt"


def workload_of(processors, jobs=JOBS):
    """Return the jobs of a machine."""
    drawn = {"model": "random_batch", "processors": processors, "jobs": jobs, "set": {"unit_s": 1.0, "longest": 20}}
    return build_workload({**drawn, "applications": {"mix": "IO/Msg/Emb"}}, "growth", 1).workloads[0]


def megabytes():
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(processors):
    """Run the jobs of a machine, kernels warm, and say what it took."""
    simulate(workload_of(8, 20), get_policy(POLICY))
    workload, before = workload_of(processors), megabytes()
    begun, worked = time.perf_counter(), time.process_time()
    schedule = simulate(workload, get_policy(POLICY))
    return {
        "processors": processors,
        "jobs": len(workload),
        "finished": int((schedule.jobs["outcome"] == "finished").sum()),
        "end_s": round(schedule.jobs["finish_us"].max() / 1e6),
        "events": schedule.run["counters"]["events"],
        "fast_slices": schedule.run["counters"]["fast_slices"],
        "wall_s": round(time.perf_counter() - begun, 1),
        "processor_s": round(time.process_time() - worked, 1),
        "megabytes_before": round(before),
        "megabytes": round(megabytes()),
    }


if __name__ == "__main__":
    asked = sys.argv[1:] or [str(processors) for processors in MACHINES]
    if len(asked) == 1:
        print(json.dumps(measure(int(asked[0]))))
    else:
        for processors in asked:
            subprocess.run([sys.executable, "-m", "tests.bench.concurrent_gang_growth", processors], check=True)
