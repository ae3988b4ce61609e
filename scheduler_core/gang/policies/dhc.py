"""Distributed Hierarchical Control: gang scheduling by a tree of controllers over a buddy system."""

from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.gang.facts import GangFacts
from scheduler_core.gang.matrix_policy import MatrixPolicy
from scheduler_core.gang.policy import GangPolicy, Setting


@dataclass(frozen=True)
class Dhc(GangPolicy):
    """Distributed Hierarchical Control: the controllers of a buddy system hold the gangs, in rows that take turns.

    Time, segments, levels and rates are those of the family (:mod:`scheduler_core.gang`), with level = number of rows R and the
    share 1 / R for each row; switching is not accounted for. Jobs run at their `size` whatever their flexibility, at rate 1 in
    each row.

    **Tree.** P processors; W = the smallest power of two >= P. A controller at level i (0, 1, ..., log2 W) spans a block
    of 2^i processors that begins at a multiple of 2^i; each but those of level 0 has a left and a right half below it.
    Processors from P on are missing: nothing runs there.

    **Passes** are made at slice boundaries, multiples of ``slice_s`` (0: at every event), as everywhere in the family; at each:

    1. Jobs finished leave their controllers.
    2. The jobs submitted since, in order of submission, then position, are bound one after the other; no job waits. A
       job of size S goes to level i, 2^(i-1) < S <= 2^i, there to the controller whose first S processors exist with
       the least load: the most jobs that hold any one of its block's processors, then the mean of such jobs over the
       block's existing processors, then the first block. It holds the first S of the block, for good: no migration.
    3. The cycle is built anew. With g(c) the jobs of controller c, in the order of binding, its number of rows is
       rows(c) = g(c) + max(rows(left), rows(right)) (0 below level 0). The machine's cycle is rows 0 to R - 1, R =
       rows(root). In row k the root has turn k, and from the top down, for a controller c with turn t whose rows(c) > 0
       (others and all below them do nothing):

       * let u = t mod rows(c) (so the shorter of two halves repeats its rows in turn until the longer is done);
       * u < g(c): job number u of c runs, on the first S processors. With ``selective_disabling`` the highest controllers
         below with no processor used by it are active, each with turn k (the row's number); else all are disabled. Of a
         controller some of whose processors it uses, none of the controller's own jobs runs, and the same holds for
         its halves in their turn (a controller that is active passes on to its halves as any other).
       * u >= g(c): both halves have the turn u - g(c).
    4. With ``alternative`` (alternative scheduling), row by row: all jobs, in the order of binding and cyclically from a
       pointer, are gone through once; one all of whose processors are idle in the row runs there too. The pointer (at
       the first job before row 0) then stands behind the last job that this row took in addition, and stays if none.

    A job in c rows has c places: it works at rate c per unit of slot clock, and its work is shared among them as with
    ``fill`` in ``gang``. Slots of the schedule are numbers of rows; a job whose rows change begins a new segment.

    A job larger than the machine is rejected. Counters are those of the family; ``slots_opened`` stays 0.

    The thesis states the tree, the waves from the top, selective disabling and alternative scheduling. The measure of
    the load, the order among equals, the turns of controllers that stay active (k) and of the shorter half, and the
    pointer are choices made here; slices of the same length in all groups are another. The source also mentions that a
    gang smaller than its group may be split between the halves; gangs here stay on the first processors.

    Cost: n (P + R a) for n jobs, P processors, R rows and a controllers with gangs in or below them, because every pass makes all
    rows of the cycle anew. It keeps no queue, so it does not grow with what has arrived.
    """

    name: ClassVar[str] = "dhc"
    label: ClassVar[str] = "DHC"
    source: ClassVar[str] = "da Silva, doctoral thesis, Universite Paris VI, 2000, sections 3.4.4 and 8.4.3"

    slice_s: float = same_as(MatrixPolicy, "slice_s")
    selective_disabling: bool = parameter(
        True, "whether lower controllers stay active on processors that a gang leaves idle"
    )
    alternative: bool = parameter(True, "whether jobs also run in rows in which their processors are idle")

    def facts(self) -> GangFacts:
        """Return the facts that the checker's rules need."""
        return GangFacts(slice_us=seconds_to_us(self.slice_s), keeps_processors=True, in_several_slots=True)

    def setting(self, processors: int) -> Setting:
        """Return what the policy asks of the engine."""
        return Setting("buddy", level="unlimited", fill=True, **self.values())
