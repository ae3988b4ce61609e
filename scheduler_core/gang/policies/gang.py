"""Plain gang scheduling on the Ousterhout matrix: every job runs at the size it asks for."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter
from scheduler_core.gang.facts import GangFacts, Partitions
from scheduler_core.gang.matrix_policy import MatrixPolicy
from scheduler_core.gang.policy import Packing, Setting

FIVE = {"level": 5}


@dataclass(frozen=True)
class Gang(MatrixPolicy, Packing):
    """Gang scheduling: jobs are packed into slots that take turns on the machine's processors.

    The matrix, its slot clock, segments, passes, the queue and backfilling are those of the family
    (:mod:`scheduler_core.gang`; ``python -m pydoc scheduler_core.gang`` shows that page). Every job runs at its `size`, whatever
    its flexibility, at rate 1 in each slot.

    **A pass** at time p:

    1. Jobs finished by p leave the matrix; slots left empty are removed. Jobs submitted by p join the queue.
    2. With ``repack="arrivals"``, if a job was submitted, all jobs are packed anew (see *Re-packing*).
    3. The queue is served from its head: the head is placed if the packing rule finds a slot; stop at the first job that
       cannot be placed.
    4. Jobs behind the blocked head are backfilled.
    5. With ``repack="changes"`` all jobs are packed anew.
    6. With ``fill`` jobs get copies in other slots (see *Fill*).
    7. The level becomes the number of slots.

    **Packing.** ``first_fit`` and ``best_fit`` are those of the family. ``first_fit_decreasing`` is ``first_fit`` for a single
    placement, and re-packs. ``one_job``: always a new slot. Under the memory packings a job's memory (`memory_kb` per processor;
    0 if null) is held on its processors as long as it is in the matrix. A processor is a *candidate* in a slot if it is free
    there and has that much memory left (of Machine.memory_kb; 0: unlimited). A slot needs as many candidates as the job's size.

    * ``memory_best_fit``: the slot with fewest free processors, ties the first, and there the lowest-numbered candidates.
    * ``memory_fit``: in each slot take the candidates with most memory left (ties lowest number). B = max / sum over all
      processors of the memory left after that (1 / processors when the sum is 0). Choose the smallest B, then fewest free
      processors, then the first slot. With unlimited memory B is 0 for all.
    * A new slot counts as one with all processors free. With ``new_slot="last_resort"`` it is considered only if no existing
      slot takes the job; with ``always`` it competes, as the last, whenever there are fewer than ``level``.

    **Re-packing** (migration) empties the matrix and packs all its jobs again by the packing rule, at no cost. Slots are then
    numbered 0, 1, ... in order of creation; processors are the lowest free ones. ``arrivals``: in order of position.
    ``changes``: likewise, but in order of size, largest first, then position, for ``first_fit_decreasing`` (which implies it).
    A job that comes to another slot or other processors begins a new segment.

    **Fill.** Earlier copies are dropped. For each slot in order, each job of the matrix that is not in the slot gets a copy there
    if the slot has enough free processors (with ``repack="never"``: if the job's own processors are all free there). Jobs come in
    the order of re-packing, without it in the order of placement. A job with c places works at rate c; its work is shared
    among them evenly, the first slots (in order) having what is left over. Every row of the schedule has rate 1. Steps 1 to 5
    do not see the copies.

    **Partitions.** With ``partitions`` K > 1 the machine is cut into K parts, the first ones larger by one where it does not
    divide evenly, and each part has its own queue, slots, slot clock and passes. Jobs that fit into some part go to the parts in
    turn, in order of position; parts too small for a job are passed over (the next job's turn begins after the part taken). The
    column `cluster` is the part, 0 the first; processors keep their numbers in the machine, part after part. Counters are sums
    over parts.

    **Rejected** is a job larger than the machine (than all parts) and, under the memory packings, a job that needs more memory
    than a processor has. Such jobs make no pass.

    Sources: da Silva 2000, sections 3.4 (systems), 4.4 (re-packing), 5.3 (fill), 5.4 (memory); Huang 2004, sections 6.7 and 6.11
    (queue, backfilling). ``partitions`` is gang scheduling within predefined partitions (da Silva 2000, section 3.4.4);
    ``short_limit_s`` and ``medium_limit_s`` are the limits of Huang's second workload (chapter 7), and ``backfill_depth``
    bounds the backfilling that delays no earlier job (6.11). Chosen here: the round robin among partitions.
    """

    name: ClassVar[str] = "gang"
    label: ClassVar[str] = "Gang"
    engine: ClassVar[str] = "composition"
    source: ClassVar[str] = (
        "da Silva, doctoral thesis, Universite Paris VI, 2000, sections 3.4, 4.4, 5.3 and 5.4; "
        "Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapter 6"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "scojo_fcfs": ("FCFS", FIVE),
        "scojo_fcfs_b": ("FCFS-B", {**FIVE, "backfill": "all"}),
        "scojo_pri_b": ("PRI-B", {**FIVE, "queue": "priority", "backfill": "all"}),
        "scojo_pri_eb": ("PRI-EB", {**FIVE, "queue": "priority", "backfill": "greedy"}),
        "variable_partitioning": ("Variable partitioning", {"level": 1, "slice_s": 0.0}),
        "simple_gang": ("Simple gang", {"packing": "one_job", "level": "unlimited", "slice": "fixed"}),
    }

    packing: str = parameter(
        "first_fit",
        "which slot a job goes to",
        choices=("first_fit", "best_fit", "first_fit_decreasing", "memory_fit", "memory_best_fit", "one_job"),
    )
    new_slot: str = parameter(
        "last_resort", "when the memory packings consider a new slot", choices=("last_resort", "always")
    )
    repack: str = parameter(
        "never", "when all jobs are packed anew (migration)", choices=("never", "arrivals", "changes")
    )
    fill: bool = parameter(False, "whether jobs also run in other slots in which they fit")
    partitions: int = parameter(
        1, "parts of the machine with gang scheduling by itself in each", unit="partitions", minimum=1
    )

    def validate(self) -> None:
        """Refuse settings that do not go together."""
        super().validate()
        if self.level == "unlimited" and self.slice == "scaled" and self.slice_s > 0:
            raise ParameterError(
                "gang: slice='scaled' needs a level; set slice='fixed' or slice_s=0 for unlimited slots"
            )
        if self.packs_by_memory and (self.repack != "never" or self.fill):
            raise ParameterError(
                f"gang: packing={self.packing!r} goes with neither re-packing nor fill: memory is held where a job was placed"
            )
        if self.repacks != "never" and self.level != "unlimited":
            raise ParameterError("gang: re-packing needs level='unlimited', or a job could lose its place")
        if self.backfill in ("head", "all") and self.packing not in ("first_fit", "best_fit"):
            raise ParameterError(
                f"gang: backfill={self.backfill!r} is defined for first_fit and best_fit; found packing={self.packing!r}"
            )

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need."""
        return replace(
            super().facts(),
            keeps_slot=self.repacks == "never",
            in_several_slots=self.fill,
            packs_by_memory=self.packs_by_memory,
            partitions=Partitions(self.partitions) if self.partitions > 1 else None,
        )

    def measures(self) -> tuple[str, ...]:
        """Return ``packing`` where slots are as many as it takes, and ``memory`` where jobs are packed by memory, too."""
        if self.level != "unlimited":
            return ()
        return ("packing", "memory") if self.packs_by_memory else ("packing",)

    def setting(self, processors: int) -> Setting:
        """Return what the policy asks of the engine."""
        values = self.values()
        del values["partitions"]  # each is a machine of its own
        return Setting(**values)
