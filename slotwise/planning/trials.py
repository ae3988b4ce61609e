"""Simulations of models of a cluster, each compared with the waits that its log recorded."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import get_policy
from scheduler_core.space_sharing.engine import starts_of
from slotwise.planning.models import HIGHEST, HOPELESS, Model, Pool, score
from slotwise.planning.recorded import Use, gpu_jobs_of, recorded_use, with_recorded_wait
from slotwise.planning.validation import NONE_ENDED, Part, recorded_jobs
from slotwise.planning.waits import HOUR_US
from traces.shape.closed_hours import learned_closing
from traces.shape.closing import with_closing
from traces.shape.credit import with_credit
from traces.shape.selection import only, usable
from traces.shape.standstills import standstills_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy
    from slotwise.planning.scenarios import Say

Given = TypeVar("Given")
Found = TypeVar("Found")

STANDSTILLS_H = (12.0, 6.0)
"""Least lengths of the standstills that are tried. Shorter ones would repeat the log's own starts."""

MOST_STILL = 0.1
"""The most of a log's time that standstills may take. More are no outages: they would repeat the log's own starts."""

KEPT_MACHINES = 32
"""How many workloads are kept: policies are tried on machines that others were tried on before."""

MOST_AT_ONCE = 8
"""The most simulations that run at once: each needs memory for its jobs."""


class Trials:
    """A log whose recorded waits are to be explained; each model is simulated once.

    ``tried`` counts the simulations of pools, and ``step`` names what they are made for.

    ``workload`` has the jobs, ``log`` the whole log that they are chosen from, whose standstills and closed hours are tried.
    ``least`` is a score on odd weeks. The simulation of a model that cannot reach it ends early, and the model is not compared.
    """

    def __init__(self, workload: Workload, say: Say, log: Workload) -> None:
        self.workload, self.log = workload, log
        self.say = say
        self.known = with_recorded_wait(workload)
        self.recorded = recorded_jobs(self.known, None).select("job", "week", "recorded_h").sort("job")
        place = workload.jobs.select("job", "size", place=pl.int_range(pl.len()))
        placed = self.recorded.join(place, on="job", maintain_order="left")
        self.places, self.submit = placed["place"].to_numpy(), workload.column("submit_us")
        odd = self.recorded["week"].to_numpy() % 2 == 1
        week, recorded_h = (self.recorded[name].to_numpy() for name in ("week", "recorded_h"))
        self.halves = [(half, Part(week[half], recorded_h[half])) for half in (odd, ~odd)]
        self.odd_places = self.places[odd & (placed["size"].to_numpy() <= self.processors)]
        self.of_pools: dict[Pool, np.ndarray] = {}
        self.tried, self.step, self.counting = 0, "", Lock()
        self.least = -math.inf
        self.models: dict[tuple[Pool, ...], Model] = {}
        self.still: dict[float, pl.DataFrame] = {}
        self.on_machine = lru_cache(KEPT_MACHINES)(self.jobs_on_machine)

    @cached_property
    def processors(self) -> int:
        """The size of the machine."""
        return self.workload.machine.processors

    @cached_property
    def use(self) -> Use:
        """The recorded use of the machine."""
        return recorded_use(self.known, self.processors, gpu_jobs=gpu_jobs_of(self.workload))

    def jobs_of(self, pool: Pool) -> Workload:
        """Return the workload of a pool."""
        return self.on_machine(replace(pool, policy=""))

    def jobs_on_machine(self, pool: Pool) -> Workload:
        """Return the workload of a pool, whatever its policy."""
        jobs = self.on_site(pool.standstills_h, closed=pool.closed)
        jobs = usable(only(jobs, pool.column, pool.numbers) if pool.column else jobs, *pool.usable)
        return with_credit(jobs, dict(pool.credit)) if pool.credit else jobs

    def on_site(self, least_h: float, *, closed: bool = False) -> Workload:
        """Return the jobs with the log's standstills of at least so many hours, unless 0, and with its closed hours."""
        if least_h and least_h not in self.still:
            self.still[least_h] = standstills_of(self.log, least_h)
        tables = {"standstills": self.still[least_h]} if least_h else {}
        tables |= {"closed_hours": self.closed} if closed else {}
        return replace(self.workload, companions=tables) if tables else self.workload

    @cached_property
    def standstills_h(self) -> list[float]:
        """The lengths of :data:`STANDSTILLS_H` of which the log has standstills, unless they take too much of its time."""
        times = self.log.jobs["submit_us"]
        most_us = MOST_STILL * (int(times[-1]) - int(times[0]))
        tables = {hours: self.on_site(hours).companions["standstills"] for hours in STANDSTILLS_H}
        return [hours for hours, table in tables.items() if 0 < (table["end_us"] - table["begin_us"]).sum() <= most_us]

    @cached_property
    def closing(self) -> dict[str, str]:
        """The closed hours of the log, by the jobs they are closed to; empty if it does not tell the time of the day."""
        try:
            return learned_closing(self.log)
        except ContractError:
            return {}

    @cached_property
    def closed(self) -> pl.DataFrame:
        """The closed hours of the log as a companion table."""
        return with_closing(self.log, self.closing).companions["closed_hours"]

    def model(self, pools: Sequence[Pool], *, whole: bool = False) -> Model:
        """Return a model and how well it explains odd and even weeks, or that it cannot reach ``least``, unless ``whole``."""
        key = tuple(pools)
        if key not in self.models or (whole and self.models[key].odd is HOPELESS):
            self.models[key] = self.compared(key, math.inf if whole else math.exp(HIGHEST - self.least))
        return self.models[key]

    def models_of(self, tried: Iterable[Sequence[Pool]]) -> list[Model]:
        """Return several models in order; they are simulated at once, as many as this machine has cores."""
        keys = list(map(tuple, tried))
        at_once(self.model, dict.fromkeys(keys))
        return list(map(self.model, keys))

    def compared(self, pools: tuple[Pool, ...], most: float) -> Model:
        """Return a model and how well it explains odd and even weeks, if jobs of odd weeks wait at most so many times as long."""
        waits_h = np.full(len(self.recorded), np.nan)
        for pool in pools:
            own_h = self.waits(pool, most)
            if own_h is None:
                return Model(pools, HOPELESS, HOPELESS)
            waits_h = np.where(np.isnan(own_h), waits_h, own_h)
        if np.isnan(waits_h).all():
            raise ContractError(NONE_ENDED)
        return Model(pools, *(part.agreement(waits_h[half]) for half, part in self.halves))

    def waits(self, pool: Pool, most: float = math.inf) -> np.ndarray | None:
        """Return the simulated wait of each job with a recorded one, in hours; NaN for jobs of other pools and rejected ones.

        Waits of parts of a machine, which make up several models, are kept. Nothing is returned if the jobs of odd weeks wait
        over ``most`` times as long as recorded.
        """
        if pool in self.of_pools:
            return self.of_pools[pool]
        with self.counting:
            self.tried += 1
            self.say(f"{self.step}, simulation {self.tried:,}: {pool.words()}")
        jobs = self.workload.jobs
        own = jobs[pool.column].is_in(pool.numbers).to_numpy() if pool.column else np.ones(len(jobs), bool)
        most_us = math.inf if pool.column else most * self.halves[0][1].total_h * HOUR_US

        def hopeless(time: int, starts: np.ndarray) -> bool:
            begun, submitted = starts[self.odd_places], self.submit[self.odd_places]
            return int((np.where(begun < 0, np.maximum(time, submitted), begun) - submitted).sum()) > most_us

        policy = cast("SpaceSharingPolicy", get_policy(pool.policy))
        starts = starts_of(policy, self.jobs_of(pool), hopeless if most_us < math.inf else None)
        if starts is None:
            return None
        waits_h = np.full(len(jobs), np.nan)
        waits_h[own] = np.where(starts < 0, np.nan, (starts - self.submit[own]) / HOUR_US)
        found = waits_h[self.places]
        return self.of_pools.setdefault(pool, found) if pool.column else found

    def pairs(self, pool: Pool) -> pl.DataFrame:
        """Return recorded and simulated waits of a pool's jobs."""
        return self.recorded.with_columns(simulated_h=self.waits(pool)).drop_nans("simulated_h")

    def best(self, models: Iterable[Model]) -> Model:
        """Return the model that explains odd weeks best; of equal ones that with most processors."""
        return max(models, key=lambda model: (round(score(model.odd), 6), sum(pool.processors for pool in model.pools)))


def at_once(find: Callable[[Given], Found], given: Iterable[Given]) -> list[Found]:
    """Return what a function finds for each of several things, in order. Threads serve, because kernels leave Python's lock."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_AT_ONCE)) as threads:
        return list(threads.map(find, given))
