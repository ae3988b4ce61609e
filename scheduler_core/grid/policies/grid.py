"""Grid: workflows on autonomous clusters, placed by relaxed reservations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.declarations.policy import Policy, family_of, get_policy
from scheduler_core.grid.facts import GridFacts
from scheduler_core.slices.policies.pect import Pect

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

PECT_PARAMETERS = (
    "interval_s",
    "switch_s",
    "short_slice_s",
    "share_medium",
    "share_long",
    "short_limit_s",
    "medium_limit_s",
    "smart",
)
"""Parameters that are handed on to SCOJO-PECT on the clusters."""

LOCAL = ("pect", "easy", "conservative")
"""The policies that a cluster may be under."""


@dataclass(frozen=True)
class Grid(Policy):
    """A grid of clusters under one clock: RARS-HEFT places the tasks of workflows, and each cluster schedules what it gets.

    All times are whole microseconds. R(x) is floor(x + 0.5) of a real number; real numbers are doubles, and operations are
    made in the order in which they are written. Everything is decided by estimates.

    **Clusters.** Each cluster is under the policy ``local``: ``pect`` with the parameters of the same names below and
    otherwise its defaults, ``easy`` or ``conservative`` with their defaults. What a cluster does with its jobs is that
    policy's docstring; what it does with bookings is the page of its family (``scheduler_core.slices.bookings`` and, with
    ``reservations`` other than ``rebooked``, ``scheduler_core.slices.recalculation``;
    ``scheduler_core.space_sharing.bookings`` whatever ``reservations`` says), with ``nominal``, ``slide_down_backfill`` and
    ``slide_down_avoid_preemption``. A cluster knows nothing of others and nothing of workflows. A *local job* is submitted to
    its home (the only cluster, where jobs have no homes), in the order of the workload. One that is larger than its home is
    rejected.

    **Times on a cluster.** A job's run time on a cluster is its row in ``run_times``, and its estimate there is
    ceil(estimate x that / run time), exactly; without a row they are the run time and the estimate, each divided by the
    cluster's speed and rounded up (of the double quotient). Its class there is the workload's ``class`` where stated, else by its
    estimate there: short below ``short_limit_s``, medium below ``medium_limit_s``, else long. EXC(t, p) is the estimate of task
    t on cluster p. The transfer of an edge from cluster p to cluster q takes its time in ``transfers``; without rows
    there, ``transfer_us`` of the edge if p and q differ, else 0. A cluster *fits* a task that is not larger than it; others are
    left out of everything that is said of the task.

    **Rank.** W(t) = (sum of EXC(t, p) over the clusters p that fit t) / (their number). W(u, t) = (sum of the transfer's time
    over all ordered pairs of a cluster that fits u and one that fits t, pairs of a cluster with itself included) / (number of
    pairs). The sums are exact, the quotients doubles. The rank of the exit is W(exit); of any other task the most of
    W(t) + W(t, s) + rank(s) over its successors s.

    **Instants of the grid.** Workflows are submitted to the grid, at the submission of their tasks. At each time t, in this
    order:

    1. All clusters do everything that is due at t, local jobs submitted at t included.
    2. Tasks that are done at t, in order of workflow, then task: the data for each successor are sent; each successor, in order
       of task, whose predecessors are all done is *freed*. Its data are ready on a cluster q at ready = the latest of
       (finish + transfer to q) over its predecessors.
    3. Workflows submitted at t, in order of number, are admitted, and their tasks placed.
    4. Clusters that were given something in steps 2 and 3 do again what is due at t.

    **Admission.** A workflow with a task that no cluster fits is rejected whole: all its tasks are. All others are admitted and
    placed at once.

    **RARS-HEFT** (``tasks="reserved"``). The tasks of a workflow are placed in order of rank, highest first, ties by task. Each
    cluster that fits the task, in order of number, is asked for a prediction and gives a *frame* (below). The task is booked
    on the cluster with the lowest LFT; the first one of equals (``ties="least_loaded"``: of equals the one where the tasks that
    the grid has placed and that are not done have the least estimate there x size in all, then the first). The booking is made
    before the next task is predicted; it carries EST and LFT of the chosen cluster, RB as the time when its data are expected,
    and is pinned under ``frame_rule="rigid"``. The root's data are ready at t; the other tasks are held back.

    **Frames.** At time t, for task and cluster p: RB = max(t, the latest of LFT(u) + c(u) over the predecessors u), with c(u) the
    transfer from the cluster of u to p, or under ``transfers_known="mean"`` R(W(u, task)); LFT(u) is that of its booking. E =
    EXC(task, p), g = ``maf`` x ``nbp_medium`` or ``nbp_long`` by its class there, 0 for a short task. The cluster predicts
    start SST and finish PRT of a job of that size and estimate that may start at ST. LFT = PRT + R(``slpb`` x E), and:

    * ``literal``: ST = RB; EST = max(t, ST - R(``slpa`` x E) - R(g x (ST - t))).
    * ``earliest_start``: ST = max(t, RB - R(``slpa`` x E) - R(g x (RB - t))); EST = ST; the booking carries EST as the time when
      the data are expected, too, so that its slot is planned from there on.
    * ``scheduled_start``: ST = RB; EST = max(t, SST - R(``slpa`` x E) - R(g x (SST - t))).
    * ``spare_time``: EST = RB; ST = t + R((EST - t + R(``slpa`` x E)) / (1 - g)).
    * ``rigid``: ST = RB; EST = SST, and the slot is pinned. It goes with ``reservations="kept"`` where classes take turns: SST is
      the latest time in the worst case, and the clock of the class mostly comes to the slot before. (``rebooked`` loses it then.)

    A prediction that a cluster cannot make counts as no cluster that fits; if none can, the policy is refused.

    **Coordination.** A task freed in step 2 is released on its cluster q, with ready there, and with its EST: under
    ``propagation`` EST becomes min(EST, max(t, ready)) before; without it EST stays. Only tasks whose predecessors are all done
    are changed, LFT and the time when data were expected stay as booked.

    **Without reservations.** The other ways in which ``tasks`` come to clusters ask the same clusters in the same order, take
    the one with the earliest predicted finish (ties as above), and submit the task there as a job like any other. The frame they
    note is [ST, PRT].

    * ``when_ready``, HEFT: in step 3 all tasks are mapped in order of rank, with ST = RB where LFT(u) is the predicted finish of
      u (a prediction does not see the tasks mapped before). The root is submitted at t; the others when they are freed, each to
      its cluster at the time ready.
    * ``just_in_time``: the root is mapped in step 3 with ST = t, the others when they are freed, with ST = ready on each
      cluster; the task is submitted at ST of the cluster chosen. If that is t, the cluster does at once again what is due at
      t, so that the next prediction sees the task.
    * ``independent``: in step 3 all tasks, in order of task, are mapped with ST = t and submitted at t, and the cluster does at
      once again what is due at t. Edges are ignored.

    Jobs submitted to a cluster for the same time come in order of number, but behind what has happened there already at that
    time. The submission of a task in the table ``jobs`` is that of its workflow in any case.

    Table ``candidates`` has a row per prediction that was made; ``reservations`` a row per booking, with the rank, the EST in
    force when the task started (``freed_us``) and the time its data had arrived (``ready_us``; for the root its submission).

    Counters: ``workflows`` submitted, ``rejected_workflows``; ``tasks`` of admitted workflows; ``predictions``; ``bookings``;
    ``slides_up`` and ``slides_down``: rows of ``slides`` that place a slot at an earlier and at a later start than the row of the
    same job before; ``lost_slots``: slots that were reached by a task that might not start, and bounds that passed while the task
    was held back; ``late_tasks``: booked tasks that finished after LFT; the others are sums of those of the clusters.

    Cost: that of the clusters' policy for n jobs. A task asks each cluster for one prediction, and the clusters meet when a
    task is done. With slots recalculated or kept, an instant goes through the booked tasks that wait, and through the queue if
    one may move. If queues do not grow with n, the cost is linear in n.

    Sources: Cao 2009, sections 4.4.2 to 4.4.6 (model, HEFT, formulas (1) to (6), Algorithm 1), 4.5 (admission, allocation,
    coordination), 4.6 (prediction), 4.9 (propagation, Algorithm 2), section 5.2 (constants). Choices made here, where the
    source is silent, contradicts itself or errs: ST is computed for each candidate and not once before the loop over clusters
    (``transfers_known="mean"`` is the printed form, a time per edge); a task is booked after that loop, with the frame of the
    cluster chosen; descending ranks (the text also says non-decreasing), the exit's rank; Algorithm 2 adds a time to a time,
    and here the later of now and the arrival of the data is taken; EST is never raised; ``frame_rule``: the formulas as
    printed are ``literal``, the text around them ``spare_time``, the start that is declared and used nowhere
    ``scheduled_start``, section 4.1 ("the earliest start time is used as a parameter for the reservation start time
    prediction") ``earliest_start``; ``reservations``: FCFS with an earliest start (4.1, 4.4.5) is ``recalculated``,
    "guaranteed availability" (4.5) ``kept``; with ``earliest_start`` a chain of predictions no longer waits for predecessors,
    and LFT may lie before RB; a task never starts before its data are there, whatever its EST; all workflows that fit are
    admitted, in order; averages for ranks are over the clusters that fit a task; in an instant clusters act first, then tasks
    are freed and workflows booked, then the clusters concerned act again.
    """

    name: ClassVar[str] = "grid"
    label: ClassVar[str] = "Grid"
    several_clusters: ClassVar[bool] = True
    source: ClassVar[str] = (
        "Cao, Grid-job scheduling with reservations and preemption, M.Sc. thesis, University of Windsor, 2009, chapter 4"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "grid_relaxed": ("Relaxed", {}),
        "grid_propagation": ("Relaxed, propagation", {"propagation": True}),
        "grid_zero_slack": ("No slack", {"slpa": 0.0, "slpb": 0.0, "maf": 0.0}),
        "grid_rigid": ("Rigid", {"frame_rule": "rigid", "reservations": "kept"}),
        "grid_independent": ("Independent tasks", {"tasks": "independent"}),
        "grid_heft": ("HEFT, submitted when ready", {"tasks": "when_ready"}),
    }

    tasks: str = parameter(
        "reserved",
        "how tasks come to clusters: booked at the workflow's submission; mapped then and submitted when ready; mapped and "
        "submitted when ready; at once, without dependencies",
        choices=("reserved", "when_ready", "just_in_time", "independent"),
    )
    frame_rule: str = parameter(
        "literal",
        "how the time frame of a reservation is made",
        choices=("literal", "earliest_start", "scheduled_start", "spare_time", "rigid"),
    )
    reservations: str = parameter(
        "recalculated",
        "what becomes of reservations on clusters in slices: made anew at every instant, in the order of submission; the same, "
        "with slots kept free until the latest finish; or booked anew behind all others when they are reached in vain",
        choices=("recalculated", "kept", "rebooked"),
    )
    slpa: float = parameter(1.0, "slack ahead of a task, in times its length", minimum=0, maximum=1000)
    slpb: float = parameter(0.0, "slack behind a task, in times its length", minimum=0, maximum=1000)
    maf: float = parameter(
        4.0,
        "move-ahead factor: how far tasks move ahead as jobs are lent processors, in times nbp",
        minimum=0,
        maximum=1000,
    )
    nbp_medium: float = parameter(
        0.025, "probability that a medium job is lent processors of another slice", minimum=0, maximum=1
    )
    nbp_long: float = parameter(0.04, "the same of a long job", minimum=0, maximum=1)
    propagation: bool = parameter(False, "tasks whose predecessors are done may start as soon as their data are there")
    transfers_known: str = parameter(
        "matrix",
        "what is known of transfers when tasks are placed: their time between each two clusters, or the mean",
        choices=("matrix", "mean"),
    )
    ties: str = parameter("first", "which of equally good clusters gets a task", choices=("first", "least_loaded"))
    nominal: str = parameter(
        "worst_case",
        "what clusters in slices take intervals to come for: the least a class can get, or the mean so far",
        choices=("worst_case", "mean"),
    )
    slide_down_backfill: bool = parameter(False, "a slot moves back within its frame if that lets a waiting job start")
    slide_down_avoid_preemption: bool = parameter(
        False, "a task that would be suspended at once waits for the next slice of its class, within its frame"
    )
    local: str = parameter("pect", "the policy of every cluster", choices=LOCAL)
    interval_s: float = same_as(Pect, "interval_s", before="pect: ")
    switch_s: float = same_as(Pect, "switch_s", before="pect: ")
    short_slice_s: float = same_as(Pect, "short_slice_s", before="pect: ")
    share_medium: float = same_as(Pect, "share_medium", 0.3, before="pect: ")
    share_long: float = same_as(Pect, "share_long", 0.7, before="pect: ")
    short_limit_s: float = same_as(Pect, "short_limit_s")
    medium_limit_s: float = same_as(Pect, "medium_limit_s")
    smart: bool = same_as(Pect, "smart", before="pect: ")

    def validate(self) -> None:
        """Check what the clusters' policy checks, and that slack leaves a start that can be computed."""
        self.local_policy()
        if self.local != "pect" and (self.slide_down_backfill or self.slide_down_avoid_preemption):
            raise ParameterError(
                f"{self.name}: slots slide down only where classes of jobs take turns; slide_down_backfill and "
                f"slide_down_avoid_preemption go with local 'pect', found '{self.local}'"
            )
        if self.reservations != "rebooked" and (self.slide_down_backfill or self.slide_down_avoid_preemption):
            raise ParameterError(
                f"{self.name}: slide_down_backfill and slide_down_avoid_preemption go with reservations 'rebooked'; found "
                f"'{self.reservations}'"
            )
        if self.frame_rule == "rigid" and self.reservations == "recalculated" and self.local == "pect":
            raise ParameterError(
                f"{self.name}: a rigid slot is not recalculated; with frame_rule 'rigid' give reservations 'kept', or 'rebooked'"
            )
        most = self.maf * max(self.nbp_medium, self.nbp_long)
        if self.frame_rule == "spare_time" and most >= 1:
            raise ParameterError(
                f"{self.name}: with frame_rule 'spare_time' maf times nbp_medium and nbp_long must be below 1; found {most:g}"
            )

    def local_policy(self) -> Policy:
        """Return the policy of every cluster, with its parameters."""
        if self.local != "pect":
            return get_policy(self.local)
        return get_policy("pect", **{name: getattr(self, name) for name in PECT_PARAMETERS})

    def facts(self) -> GridFacts:
        """State what the checker's rules must know of the policy."""
        return GridFacts(self.local_policy(), self.reservations)

    @property
    def companions(self) -> tuple[str, ...]:
        """The companion tables of the workload that it needs: none, as a workload may have no workflows."""
        return ()

    def sample(self) -> Workload:
        """Return jobs on which all kernels are compiled."""
        from scheduler_core.grid.sample import sample

        return sample()

    def compiled_as(self) -> tuple[Policy, ...]:
        """Return a grid of each kind of cluster: in slices, and in space sharing, where one event loop serves all policies."""
        return (self, replace(self, local="easy"))

    @classmethod
    def engine_modules(cls) -> list[str]:
        """Return the names of the modules that simulate the policy: the engine, and the schedulers and policies of clusters."""
        kinds = [type(get_policy(name)) for name in LOCAL]
        schedulers = {f"scheduler_core.{family_of(kind)}.local_scheduler" for kind in kinds}
        return [*super().engine_modules(), *sorted(schedulers), *(kind.__module__ for kind in kinds)]
