"""`slotwise bench [--growth] [--json]`."""

import argparse
import json
from typing import Any

from slotwise.cli.accounting import add_verbose, counts_of, show_accounting
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.growth import goes_with, show_growth
from slotwise.cli.words import a_count, print_table


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.add_argument(
        "--repeats",
        type=a_count,
        default=5,
        metavar="N",
        help="timed runs of each policy, after one that is not timed (default: 5)",
    )
    parser.add_argument("--policy", action="append", metavar="POLICY", help="measure this policy only; may be repeated")
    parser.add_argument(
        "--growth",
        action="store_true",
        help="measure how the time of each policy grows with the number of jobs instead",
    )
    parser.add_argument(
        "--sizes",
        type=a_count,
        nargs="+",
        default=[1250, 2500, 5000, 10_000, 20_000, 40_000],
        metavar="N",
        help="with --growth: numbers of jobs (default: 1250 and its doubles up to 40000)",
    )
    parser.add_argument(
        "--limit", type=a_count, default=20, metavar="S", help="with --growth: seconds per policy (default: 20)"
    )
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print jobs per second of every policy on fixed workloads, and events per second for engines that count events.

    The kernels are compiled before the clock starts, and the public call is timed.
    """
    names = chosen(arguments.policy)
    tell_of_compiling()
    if arguments.growth:
        show_growth(names, sorted(set(arguments.sizes)), arguments.limit, arguments.json)
        return 0
    workloads = fixed_workloads()
    if not arguments.json:
        for _, workload in workloads:
            show_accounting(workload, arguments.verbose)
    results = [
        measure(name, workload, policy, arguments.repeats)
        for name, workload in workloads
        for policy in names
        if goes_with(policy, workload)
    ]
    if arguments.json:
        print(json.dumps(results, indent=2))
        return 0
    rows = [
        (
            r["workload"],
            r["policy"],
            f"{r['jobs']:,}",
            f"{r['seconds'] * 1000:,.1f}",
            f"{r['jobs_per_second']:,.0f}",
            f"{r['kernel_jobs_per_second']:,.0f}",
            f"{r['kernel_events_per_second']:,.0f}" if r["kernel_events_per_second"] else "",
        )
        for r in results
    ]
    print_table(("workload", "policy", "jobs", "ms", "jobs/s", "jobs/s in the kernel", "events/s"), rows)
    return 0


def chosen(names: list[str] | None) -> list[str]:
    """Return the policies to measure: those named, else every policy and the variants with their own kernels.

    Raise :class:`ParameterError` when there is no policy of a name: before anything is measured.
    """
    from scheduler_core.declarations.policy import get_policy, policies

    for name in names or ():
        get_policy(name)
    return names or [
        *policies(),
        "sjf",
        "easy_sjbf",
        "conservative(compression=False)",
        "easy(reservations=4)",
        "lomarc_pss",
        "grid(propagation=True, local='easy')",
        "cg_gang",
        "gang_rt",
    ]


def fixed_workloads() -> list[tuple[str, Any]]:
    """Return drawn workloads, equal on every machine, and the SDSC-SP2 log if it is on this one."""
    from traces.build import build_workload
    from traces.catalog import find_log
    from traces.ingest import ingest
    from traces.models import get_model
    from traces.seeds import generator
    from traces.shape.behaviour import LomarcBehaviour, with_behaviour
    from traces.shape.load import scale_load

    drawn = get_model("lublin").generate(50_000, generator(1, "bench", 0))
    busy = get_model("lublin", alpha=8.83).generate(10_000, generator(1, "bench W3", 0))
    behaving = with_behaviour(busy, LomarcBehaviour(), generator(1, "bench W3", 0, "behaviour"))
    sharing = get_model("scojo_cases", case=3).generate(40, generator(1, "bench case 3", 0))
    clusters = [{"processors": 128}] * 4
    grid = {"model": "lublin", "jobs": 20_000, "clusters": clusters, "load": 0.77, "workflows": {"share": 0.26}}
    tasks = {"model": "lublin", "jobs": 60, "processors": 16, "applications": {"mix": "IO/Msg/Emb", "chapter": 8}}
    log = find_log("SDSC-SP2-1998-4.2-cln")
    return [
        ("Lublin, load 0.7", scale_load(drawn, 0.7)),
        *([("SDSC-SP2", ingest(log).workload)] if log else []),
        ("LOMARC's W3", behaving),
        ("SCOJO's Case 3", sharing),
        ("Four clusters", build_workload(grid, "bench grid", 1).workloads[0]),
        ("IO/Msg/Emb, 16 processors", build_workload(tasks, "bench tasks", 1).workloads[0]),
    ]


def measure(name: str, workload: Any, policy: str, repeats: int) -> dict[str, Any]:
    """Return the speed of a policy on a workload, by the fastest of several runs: noise only adds time."""
    import time

    from scheduler_core.runs.simulation import simulate

    simulate(workload, policy)
    timed = []
    for _ in range(repeats):
        begun = time.perf_counter()
        schedule = simulate(workload, policy)
        timed.append((time.perf_counter() - begun, schedule.timing["kernel_s"]))
    seconds, kernel_s = min(timed)
    return {
        "workload": name,
        "policy": policy,
        "jobs": len(workload),
        "seconds": seconds,
        "jobs_per_second": len(workload) / seconds,
        "kernel_jobs_per_second": len(workload) / kernel_s,
        "kernel_events_per_second": schedule.run["counters"].get("events", 0) / kernel_s,
        "accounting": counts_of(workload),
    }
