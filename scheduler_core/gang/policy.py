"""What the policies of this family have in common: one engine, and what they ask of it."""

from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy


class Packing:
    """What follows from a rule of packing, for policies and their settings alike."""

    packing: str
    repack: str

    @property
    def repacks(self) -> str:
        """When jobs are re-packed: first fit decreasing does at every change."""
        return "changes" if self.packing == "first_fit_decreasing" else self.repack

    @property
    def packs_by_memory(self) -> bool:
        """Whether the packing considers memory."""
        return self.packing in ("memory_fit", "memory_best_fit")


@dataclass(frozen=True)
class Setting(Packing):
    """Everything in which policies of this family differ, under the names of the policies' parameters.

    ``system`` names the rule that serves the queue. ``parts`` are the processors of each partition of a machine that is
    cut into fixed partitions.
    """

    system: str = "matrix"
    packing: str = "first_fit"
    new_slot: str = "last_resort"
    repack: str = "never"
    fill: bool = False
    level: int | str = 1
    slice_s: float = 0.0
    slice: str = "fixed"
    switch_cost: float = 0.0
    switch_slows: bool = False
    queue: str = "fcfs"
    short_limit_s: float = 0.0
    medium_limit_s: float = 0.0
    aging_s: float | str = "off"
    backfill: str = "none"
    backfill_depth: int | str = "all"
    sizing: str = "optimum"
    efficiency: float = 1.0
    eliminate_fragmentation: bool = False
    demand: str = "current"
    very_short: str = "nothing"
    load_level: int | str = "level"
    reconfiguration_s: float = 0.0
    reconfiguration_cost_s: float = 0.0
    parts: tuple[int, ...] = ()
    selective_disabling: bool = False
    alternative: bool = False
    short_wait_s: float = 0.0
    medium_wait_s: float = 0.0
    long_wait_s: float = 0.0
    run_s_per_mb: float = 0.0
    name_processors: bool = True

    @property
    def names_processors(self) -> bool:
        """Whether processors are named: on request, and where the packing or copies on a job's own processors need it."""
        return self.name_processors or self.packs_by_memory or (self.fill and self.repacks == "never")


@dataclass(frozen=True)
class GangPolicy(Policy):
    """A policy of this family, on the one engine of the family."""

    def setting(self, processors: int) -> Setting:
        """Return what the policy asks of the engine, on a machine of so many processors."""
        return Setting(**self.values())


def equal_parts(machine: int, count: int) -> list[int]:
    """Return the sizes of equal parts of a machine; the first are larger by one where it does not divide evenly."""
    return [machine // count + (part < machine % count) for part in range(count)]


def halved_parts(machine: int, count: int) -> list[int]:
    """Return the sizes of parts that each take half of the remaining processors, rounded up; the last takes the rest."""
    parts = []
    for _ in range(count - 1):
        parts.append((machine + 1) // 2)
        machine -= parts[-1]
    return [*parts, machine]
