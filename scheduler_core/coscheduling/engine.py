"""From a workload and LOMARC to a schedule: prepare the state, run the event loop, make the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.units import seconds_to_us
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.contracts.reach import check_capacity
from scheduler_core.coscheduling import state
from scheduler_core.coscheduling.event_loop import run_events
from scheduler_core.coscheduling.family import FAMILY, OFFERS_COLUMNS
from scheduler_core.coscheduling.response_impact import forecast_from
from scheduler_core.coscheduling.state import World
from scheduler_core.coscheduling.tables import matches_table, shared_allocations
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.records import Record, record, records
from scheduler_core.stepping.engine_shell import Became, Shell, counted

if TYPE_CHECKING:
    from scheduler_core.coscheduling.policies.lomarc import Lomarc
    from scheduler_core.declarations.policy import Progress

INSTANTS_AT_ONCE = 1 << 16

MATCHES = ("none", "always", "adjacent", "first", "best", "best_of_three", "above")
PROFITS = ("utilisation_1", "utilisation_2", "response")
SLOWDOWNS = ("printed", "printed_raw", "unshared_counted", "table")
CONFLICTS = ("additive", "replace", "excess")
FUTURES = ("none", "average", "classes", "cumulative")
AGINGS = ("off", "fixed", "running_mean")
"""Words of parameters, in the order of their numbers in the state."""


def run(policy: Lomarc, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Return the schedule of a workload."""
    shell = Shell(FAMILY, policy, workload)
    rules = make_rules(policy, workload.machine.processors, workload.machine.memory_kb)
    asked, slowdowns = make_jobs(policy, shell)
    world = state.new_world(rules, asked, slowdowns, len(asked) if policy.match != "none" else 0)
    if looks_ahead(policy) and policy.future_from == "workload":
        forecast_whole(world)
    with shell.kernel():
        simulate_events(world, progress)
    numbers, became = shell.column("job"), world.state
    schedule = shell.schedule(
        Became(world.start, became["finish"], preemptions=became["preemptions"]),
        counted(state.COUNTERS, np.array(world.counters.tolist())),
        lambda _: shared_allocations(numbers, world),
        tables={"matches": matches_table(numbers, world), "offers": pl.DataFrame(schema=OFFERS_COLUMNS)},
    )
    check_capacity(schedule.jobs, workload.machine.processors, policy.name)
    return schedule


def simulate_events(world: World, progress: Progress | None) -> None:
    """Run the event loop to its end."""
    done = False
    while not done:
        done = run_events(world, INSTANTS_AT_ONCE)
        if progress is not None:
            progress(int(world.clock.next_arrival), len(world.asked))


def make_rules(policy: Lomarc, processors: int, memory_kb: int) -> Record:
    """Return the parameters as the plain numbers the event loop reads."""
    rules = record(state.RULES)
    rules.processors, rules.memory = processors, memory_kb
    rules.match, rules.profit = MATCHES.index(policy.match), PROFITS.index(policy.profit)
    rules.profit_above, rules.first_needs_gain = policy.profit_above, policy.first_needs_gain
    rules.standard_cpu, rules.slowdown = policy.cpu == "standard", SLOWDOWNS.index(policy.slowdown)
    rules.memory_conflict = CONFLICTS.index(policy.memory_conflict)
    rules.max_slowdown = millionths(policy.max_slowdown)
    rules.network_limit = np.inf if isinstance(policy.network_limit, str) else policy.network_limit
    rules.weak_load, rules.match_running = policy.weak_load, policy.match_running
    rules.match_backfilling = policy.match_backfilling
    rules.all_beyond_shadow = policy.beyond_shadow == "counts"
    rules.replace_forbidden = policy.forbidden_partner == "replaced"
    rules.improvement_printed = policy.improvement == "as_printed"
    rules.by_difference = policy.divisor == "difference"
    rules.future, rules.all_waiting = FUTURES.index(policy.future), policy.backlog == "all"
    rules.future_so_far = looks_ahead(policy) and policy.future_from == "so_far"
    rules.model_error, rules.both_sides = policy.model_error, policy.error_side == "both"
    rules.preempt_above = 0 if isinstance(policy.preempt_above, str) else millionths(policy.preempt_above)
    rules.shared_compatible, rules.compatible_share = policy.shared_compatible, policy.compatible_share
    rules.aging = AGINGS.index(policy.aging)
    rules.aging_time = seconds_to_us(policy.aging_min_s if policy.aging == "running_mean" else policy.aging_fixed_s)
    return rules


def looks_ahead(policy: Lomarc) -> bool:
    """Return whether profits depend on jobs that are still to come."""
    return (
        policy.match in ("best", "best_of_three", "above") and policy.profit == "response" and policy.future != "none"
    )


def millionths(slowdown: float) -> int:
    """Return a slowdown in millionths, rounded as the slowdowns of pairs are."""
    return int(np.floor(WHOLE * slowdown + 0.5))


def make_jobs(policy: Lomarc, shell: Shell) -> tuple[np.ndarray, np.ndarray]:
    """Return the jobs that take part, with their behaviour where pairs are formed, and the measured slowdowns."""
    table = shell.jobs
    asked = records(table.height, state.ASKED)
    estimate = table["estimate_us"].to_numpy()
    asked["submit"], asked["estimate"] = table["submit_us"].to_numpy(), estimate
    asked["work"] = np.minimum(table["runtime_us"].to_numpy(), estimate)
    asked["processors"] = table["size"].to_numpy()
    short, medium = seconds_to_us(policy.short_limit_s), seconds_to_us(policy.medium_limit_s)
    asked["job_class"] = (estimate <= short).astype(np.int64) + (estimate <= medium)
    if "memory_kb" in table.columns:
        asked["memory"] = table["memory_kb"].fill_null(0).to_numpy()
    companions = shell.workload.companions
    slowdowns = np.zeros((0, 0))
    if policy.match != "none":
        behaviour = table.select("job").join(companions["behaviour"], on="job", how="left", maintain_order="left")
        copy_behaviour(behaviour, asked)
        if policy.slowdown == "table":
            slowdowns = measured(behaviour["application"].to_numpy(), companions["slowdowns"], asked)
    return asked, slowdowns


def copy_behaviour(behaviour: pl.DataFrame, asked: np.ndarray) -> None:
    """Copy the behaviour of jobs; the time on a resource is the sum of all fractions that contain it."""
    both = {name: behaviour[name].to_numpy() for name in ("cpu_network", "cpu_disk", "network_disk")}
    asked["cpu"] = behaviour["cpu"].to_numpy() + both["cpu_network"] + both["cpu_disk"]
    asked["network"] = behaviour["network"].to_numpy() + both["cpu_network"] + both["network_disk"]
    asked["disk"] = behaviour["disk"].to_numpy() + both["cpu_disk"] + both["network_disk"]
    asked["kind"] = behaviour["kind"].to_physical().to_numpy()
    asked["cpu_phase"], asked["error_phase"] = behaviour["cpu_phase"].to_numpy(), behaviour["error_phase"].to_numpy()


def measured(applications: np.ndarray, slowdowns: pl.DataFrame, asked: np.ndarray) -> np.ndarray:
    """Return the measured slowdowns as a square table, and set each job's row in it."""
    known = slowdowns["application"].unique().sort().to_numpy()
    asked["application"] = np.searchsorted(known, applications)
    square = np.zeros((len(known), len(known)))
    rows = np.searchsorted(known, slowdowns["application"].to_numpy())
    columns = np.searchsorted(known, slowdowns["beside"].to_numpy())
    kept = (columns < len(known)) & (known[np.minimum(columns, len(known) - 1)] == slowdowns["beside"].to_numpy())
    square[rows[kept], columns[kept]] = slowdowns["slowdown"].to_numpy()[kept]
    return square


def forecast_whole(world: World) -> None:
    """Forecast from the means of all jobs."""
    asked = world.asked
    work, short = asked["estimate"] * asked["processors"], asked["job_class"] == state.SHORT
    span = int(asked["submit"][-1] - asked["submit"][0]) if len(asked) else 0
    forecast_from(len(asked), int(short.sum()), span, int(work[short].sum()), int(work[~short].sum()), world.forecast)
