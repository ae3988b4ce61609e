"""What a pass does with a job in turn: whether a partner is searched for it, and what follows from the search."""

from __future__ import annotations

from scheduler_core.coscheduling.execution import join, may_be_paired, start_alone
from scheduler_core.coscheduling.match_running import match_running
from scheduler_core.coscheduling.match_waiting import count_waiting, match_waiting
from scheduler_core.coscheduling.slowdown import actual_slowdown
from scheduler_core.coscheduling.state import ADJACENT, ALWAYS, MATCH_NONE, Jobs, Machine, Rows, Search, Waiting
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def is_weakly_loaded(machine: Machine) -> bool:
    """Say whether all waiting jobs ask for clearly fewer processors than are free, so that none need share."""
    rules, clock = machine.rules, machine.clock
    return rules.match != ALWAYS and clock.asked <= rules.weak_load * clock.free


@kernel
def joins_running(machine: Machine) -> bool:
    """Say whether jobs that do not fit on free processors may join running ones."""
    rules = machine.rules
    return rules.match_running and rules.match != MATCH_NONE and rules.match != ADJACENT


@kernel_step
def form_pair(
    now: int,
    holder: int,
    partner: int,
    jobs: Jobs,
    machine: Machine,
    search: Search,
    rows: Rows,
) -> None:
    """Let the partner join its holder, and write down what the search found."""
    rules, clock, found = machine.rules, machine.clock, search.found
    actual = actual_slowdown(found.slowdown, jobs.asked[holder], jobs.asked[partner], rules)
    join(now, holder, partner, found.slowdown, actual, jobs, machine, rows)
    if rules.preempt_above > 0 and actual > rules.preempt_above:
        machine.late[clock.late] = partner
        clock.late += 1
    row = rows.matches[clock.matches]
    row.begin, row.running, row.backfilling = now, found.running, search.turn.backfilling
    row.job = partner if found.running else holder
    row.partner = holder if found.running else partner
    row.looked_at, row.medium_long, row.size_fits = found.looked_at, found.medium_long, found.size_fits
    row.memory_fits, row.types_match, row.slowdown_fits = found.memory_fits, found.types_match, found.slowdown_fits
    row.rank, row.profit, row.slowdown = found.rank, found.profit, found.slowdown
    clock.matches += 1


@kernel_step
def start_in_turn(
    now: int,
    job: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
    rows: Rows,
    counted: Record,
) -> bool:
    """Start the job in turn on free processors, with a partner if there is one.

    Returns whether it went without a search because the machine was weakly loaded.
    """
    paired, weak = False, False
    if (machine.rules.match_backfilling or not search.turn.backfilling) and may_be_paired(job, jobs, machine):
        weak = is_weakly_loaded(machine)
        if not weak:
            counted.searches_waiting += 1
            paired = match_waiting(now, job, jobs, machine, waiting, search)
    start_alone(now, job, jobs, machine)
    if paired:
        behind = count_waiting(machine, waiting, search)
        counted.pushed_down += search.found.place - 1
        counted.pulled_up += behind - search.found.place
        form_pair(now, job, search.found.job, jobs, machine, search, rows)
    return weak


@kernel_step
def join_in_turn(
    now: int,
    job: int,
    jobs: Jobs,
    machine: Machine,
    waiting: Waiting,
    search: Search,
    rows: Rows,
    counted: Record,
) -> bool:
    """Let the job in turn join a running one, if a search finds one; return whether it did."""
    counted.searches_running += 1
    if not match_running(now, job, jobs, machine, waiting, search):
        return False
    form_pair(now, search.found.job, job, jobs, machine, search, rows)
    return True
