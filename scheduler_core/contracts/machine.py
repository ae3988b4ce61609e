"""The parallel machine: one cluster, or several under one clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scheduler_core.common.errors import ContractError

MOST_PROCESSORS = 2**31 - 1
"""The most processors: sizes of jobs and numbers of processors are 32 bits wide."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Identical processors.

    ``processors_per_node`` processors share a host and its memory. ``memory_kb`` is the memory of each processor, 0 if no
    scheduler can run out of it. ``speed`` is the processors' speed; run times are those at speed 1.
    """

    processors: int
    processors_per_node: int = 1
    memory_kb: int = 0
    speed: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        if self.processors < 1:
            raise ContractError(f"a machine has at least one processor; found {self.processors}")
        if self.processors > MOST_PROCESSORS:
            raise ContractError(f"a machine has at most {MOST_PROCESSORS:,} processors; found {self.processors:,}")
        if self.processors_per_node < 1:
            raise ContractError(f"a node has at least one processor; found {self.processors_per_node}")
        if self.memory_kb < 0:
            raise ContractError(f"memory_kb is at least 0; found {self.memory_kb}")
        if not 0 < self.speed < float("inf"):
            raise ContractError(f"the speed of a cluster is above 0; found {self.speed}")


@dataclass(frozen=True, slots=True, init=False)
class Machine:
    """One cluster, as ``Machine(128)``, or several, as ``Machine(clusters=(Cluster(64), Cluster(128)))``.

    Processors are numbered from 0 through all clusters, one after another. ``name`` is the machine's name in the log or the
    model. A machine of one cluster has that cluster's attributes (``memory_kb``, ``processors_per_node``, ``speed``).

    Raise :class:`ContractError` when there is no cluster, or a cluster breaks its own rules.
    """

    clusters: tuple[Cluster, ...]
    name: str

    def __init__(
        self,
        processors: int = 0,
        name: str = "",
        processors_per_node: int = 1,
        memory_kb: int = 0,
        speed: float = 1.0,
        *,
        clusters: tuple[Cluster, ...] = (),
    ) -> None:
        if clusters and processors:
            raise ContractError("a machine has either a number of processors or clusters; found both")
        one = () if clusters else (Cluster(processors, processors_per_node, memory_kb, speed),)
        object.__setattr__(self, "clusters", tuple(clusters) or one)
        object.__setattr__(self, "name", name)

    @property
    def processors(self) -> int:
        """Processors of all clusters."""
        return sum(cluster.processors for cluster in self.clusters)

    @property
    def cluster(self) -> Cluster:
        """The only cluster.

        Raise :class:`ContractError` when there are several clusters: the caller is defined for one.
        """
        if len(self.clusters) > 1:
            raise ContractError(
                f"the machine {self.name or 'without a name'} has {len(self.clusters)} clusters; this is defined for one"
            )
        return self.clusters[0]

    @property
    def processors_per_node(self) -> int:
        """Processors that share a node of the only cluster."""
        return self.cluster.processors_per_node

    @property
    def memory_kb(self) -> int:
        """Memory of each processor of the only cluster; 0: no scheduler can run out of it."""
        return self.cluster.memory_kb

    @property
    def speed(self) -> float:
        """Speed of the processors of the only cluster."""
        return self.cluster.speed

    def require_plain(self, what: str) -> None:
        """Raise :class:`ContractError` unless this is one cluster of processors at speed 1, which ``what`` requires."""
        if len(self.clusters) > 1 or self.cluster.speed != 1:
            called = f" {self.name}" if self.name else ""
            found = (
                f"{len(self.clusters)} clusters" if len(self.clusters) > 1 else f"processors of speed {self.speed:g}"
            )
            raise ContractError(
                f"{what} is defined for one cluster of processors at speed 1; the machine{called} has {found}"
            )

    def altered(self, **changes: Any) -> Machine:
        """Return the machine of one cluster with some attributes changed: ``altered(processors=64)``."""
        alone = self.cluster
        words = {name: getattr(alone, name) for name in ("processors", "processors_per_node", "memory_kb", "speed")}
        return Machine(**{**words, "name": self.name, **changes})

    def deciding(self) -> list[list[float]]:
        """Return the values a schedule may depend on: the numbers of each cluster, no names."""
        return [[c.processors, c.processors_per_node, c.memory_kb, c.speed] for c in self.clusters]

    def as_dict(self) -> dict[str, Any]:
        """Return the machine as files store it: its name, its total of processors, its clusters."""
        return {"name": self.name, "processors": self.processors, "clusters": [asdict(c) for c in self.clusters]}

    @staticmethod
    def from_dict(note: Mapping[str, Any]) -> Machine:
        """Return the machine that :meth:`as_dict` wrote.

        Raise :class:`ContractError` when the note has another form.
        """
        try:
            machine = Machine(name=note["name"], clusters=tuple(Cluster(**cluster) for cluster in note["clusters"]))
        except (TypeError, KeyError) as error:
            raise ContractError(
                f"a machine is written as name, processors and clusters; found {dict(note)} ({error})"
            ) from error
        if machine.processors != note.get("processors"):
            raise ContractError(
                f"a machine of {note.get('processors')} processors has clusters of {machine.processors} in all"
            )
        return machine
