"""Gang scheduling with tasks that block; local task schedulers fill the time that gangs leave idle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.concurrent_gang.facts import ConcurrentGangFacts
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

FLOOR: dict[str, Any] = {"priority": "io_less_communication", "beta": 0.3}
MEASURED: dict[str, Any] = {"local": "priority", "classifier": "bayes", **FLOOR, "tasks_per_processor": 10}

LONGEST_S = 5e8
"""The longest time a parameter may be, 16 years: runs count nanoseconds."""


@dataclass(frozen=True)
class ConcurrentGang(Policy):
    """Gang scheduling of tasks that block: a front end places jobs, and local task schedulers fill idle time.

    Machine, tasks, applications, the order of events and activities are those of the family
    (:mod:`scheduler_core.concurrent_gang`; ``python -m pydoc scheduler_core.concurrent_gang`` shows that page).
    Parameters by the chapters of the thesis: 6 (``cg_*``) and 8 (``gang_rt*``, ``dhc_*``).

    **The clock**, at each tick t, in this order:

    1. Every running task is preempted.
    2. The classifier updates every task that ran in the slice that ends (it was the running task at some instant, were
       it in its switch only).
    3. *Front end.* Jobs that have ended leave (with ``free_on_task_end`` the places of ended tasks become free, too);
       rows left empty are deleted, the others keep their order. Jobs submitted by t (submit <= t) join the queue, in
       order of submission, then position. The queue is gone through once from its head: a job that can be placed is;
       with ``queue="fcfs"`` the first that cannot ends it, with ``skip`` later ones may pass.
    4. *Turn.* With c the place of the row that has just ended its turn (if it was deleted, of the last before it that
       remains, -1 if none does), the next row is c + 1, the first one if there is none. The task it names on a processor
       is the slice's *owner* there, if it has not ended. Without ``gang`` no slice has an owner.
    5. With ``fill="intelligent"`` more owners are named (below).
    6. Every processor is to dispatch.

    **Front end, matrix.** A processor is eligible while fewer than ``tasks_per_processor`` tasks of jobs that have not
    left are bound to it. A row takes a job if as many eligible processors are idle in it as the job's size; it gets the
    lowest-numbered. ``first_fit``: the first such row; ``best_fit``: the one with fewest idle processors, ties the
    first; ``one_job``: none. Else a new row at the end, if there are fewer than ``level`` and enough processors are
    eligible.

    **Front end, DHC** (``front="dhc"``): jobs are bound to controllers, and the cycle of rows is built anew after every
    pass that changed something, as the policy ``dhc`` says (:mod:`scheduler_core.gang.policies.dhc`: tree, cycle,
    selective disabling and, with ``fill="alternative"``, alternative scheduling); only controllers all of whose first S
    processors are eligible count, a job for which there is none waits. The turn is that of row n mod R at tick n (0,
    1, ...: at n Q); a job may own several rows. ``packing``, ``level`` and ``free_on_task_end`` mean nothing here.

    **Dispatch** of a processor without a running task: the owner, if it is ready and the slice has just begun (step 6) or
    ``resume_owner`` is set: *by gang*. Else, *by the local task scheduler*, of all ready tasks bound to the processor (owner
    included) that are eligible: under ``local="priority"`` the one with the highest priority, if it is above ``beta``;
    under ``round_robin`` any; among equals the one dispatched longest ago on this processor (never: first), then the job
    placed first. Under ``none`` no task runs until the next tick. A chosen task runs until it blocks, ends, or is
    preempted.

    **A task becomes ready** while its processor has no running task: dispatch. While another task runs there: with
    ``resume_owner`` the slice's owner preempts a task that is not; with ``boost`` and ``local="priority"`` it preempts a
    task that the local task scheduler chose, if its priority is above that task's and above ``beta``. After a preemption the
    processor is to dispatch, at this instant.

    **Spin limit**, when a wait begins and when a waiting task runs again (its switch done). ``spin``: none.
    ``spin_block``: ``spin_us``. ``controlled``: ``spin_us`` if a task of another job bound to the processor is ready and
    I/O-bound, and the next tick comes no sooner than ``spin_us`` + ``delta_switches`` context switches from now; else
    none. A limit reached at the instant at which the message arrives does not block (kind 0 comes before kind 2).

    **Classifier**, in whole millionths, divisions rounded down, memberships f = 500,000 of each class (I/O, communication,
    computation) at first. A slice shows *I/O* if the task asked its disk in it; *communication* if it executed at least
    ``statements`` of them in it (sends and receives ended, barriers and ends of phases arrived at), or a wait began in it,
    were it anew; *computation* if neither.

    * ``counting`` (6.2.2): f = x + f // 5 with x = 800,000 for a class that is shown, else 200,000.
    * ``bayes`` (8.3): a measurement m (500,000 at first) becomes x + m // 2, x = 500,000 if shown, else 0; then f =
      m f 10^6 // (sum of m f over the classes); f = max(f, ``least_membership``); f = f 10^6 // (sum of f), but at least 1
      millionth: no class is ever lost.
    * ``none``: nothing is learned.

    A task is *I/O-bound* if its membership in I/O is above both others, *communicating* likewise.

    **Priority**: ``io_or_compute`` (6.1): max(alpha f_IO, f_COMP); ``io_less_communication`` (8.4): max(alpha (f_IO -
    f_COMM), f_COMP); alpha and beta in millionths, the product // 10^6. It is above ``beta`` strictly; ``beta="none"``:
    always.

    **Fill** with owners, for processors without an owner in the row (step 5; ``intelligent``), repeated until neither
    applies: (a) of the jobs with tasks on such processors that are ready and I/O-bound, the one with most of them (ties:
    placed first): these become owners of the slice there; (b) else, of the jobs all of whose tasks are ready, on such
    processors and communicating, the largest (ties: placed first): its tasks become owners. The local task
    scheduler fills the rest.

    **Irregular jobs** with ``balance``: a worker whose pieces are done, before it waits (so not once the phase has
    ended), up to q times: draws two other workers a, b (one of q - 1 and one of q - 2 others, in ascending order; stream
    8, task = its number, index = 0, 1, ... one more with every draw of one); with n_a and n_b pieces not ended, if n_a +
    n_b >= 4, it takes the last piece not begun of the one with more (ties a) and ends trying. Jobs of fewer than 3 tasks
    are not balanced.

    **Fast forward** changes nothing of a schedule, nor of what is counted but ``fast_slices``: owners that exchange messages,
    work in supersteps or meet at barriers are run to the next tick at once, as far as nothing can come between; and on a
    processor all of whose tasks only compute and ask its disk, every event of the slice happens before those of the next
    processor (:mod:`scheduler_core.concurrent_gang.fast_forward`). Slices within the window of the trace are always run event
    by event, in the order of the whole machine.

    **End.** With ``until_s`` the run ends at the first tick at or after it, after the events of kinds 0 to 2 at that
    instant: jobs that have not ended are *unfinished*, and so are those that were never placed. With ``done`` it ends at
    the first tick at which all jobs have ended. At that tick nothing of the clock's steps is done. A task that ends as it
    is dispatched at a tick (its last statement blocked it, and it needs no switch) ends after that tick: its job leaves, and
    the run ends, with the next. Jobs larger than the machine are rejected.

    Counters: ``slices`` (those begun); ``workload_changes`` (ticks with a job placed or gone); ``gang_runs``,
    ``local_runs`` (dispatches that chose a task); ``switches`` (begun); ``messages``, ``barriers``, ``requests``,
    ``blocked`` as in `job_activity`; ``preempted_local`` (tasks preempted between two ticks); ``events`` of kinds 0, 1, 2
    and 4; ``fast_slices`` (a job's slices that were run at once, as far as that goes).

    Source: da Silva 2000, sections 6.2 to 6.4, 8.3 to 8.5, and 7.3 for ``balance``; ``delta_switches`` is of section 8.4.2,
    ``selective_disabling`` of 8.4.3. Where it is read differently, the parameter says so.

    Chosen here, because the thesis leaves it open:

    * By the letter the processor is the local task scheduler's "until the arrival of the next clock signal" (6.3.1), and idle
      "until the end of the time slice" under gang scheduling (6.4.2): ``resume_owner`` is off. That "the Gang Scheduler has
      precedence over the LTS" may mean the opposite.
    * An owner that is ready again with a priority at or below ``beta`` stays off its processor for the rest of the slice, even if
      no other task runs there: below ``beta`` a task requires "coordinated scheduling" (8.4.1). With ``resume_owner`` it runs.
    * A wait that begins shows communication, however few statements a task executes: a task that spins for the whole slice ends
      none.
    * Receives show communication in the slice in which they end, not in that in which they begin.
    * ``gang=False`` is the uncoordinated local scheduler of sections 6.4.2 and 7.2, which the thesis does not specify: processors
      choose by themselves, and every choice holds until the task blocks, ends, or the next tick.
    """

    name: ClassVar[str] = "concurrent_gang"
    label: ClassVar[str] = "Concurrent Gang"
    source: ClassVar[str] = (
        "F. A. B. da Silva, doctoral thesis, Universite Paris VI, 2000, chapters 6 to 8; da Silva and Scherson, Improving "
        "throughput and utilization in parallel machines through Concurrent Gang, IPDPS 2000; Improving parallel job "
        "scheduling using runtime measurements, JSSPP 2000"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "cg_gang": ("Gang, spin only", {"local": "none", "classifier": "none", "waiting": "spin"}),
        "cg_prio": ("Concurrent Gang", {}),
        "cg_prio_84": ("Concurrent Gang, formula 8.4", FLOOR),
        "cg_rr": ("Concurrent Gang without priorities", {"local": "round_robin", "classifier": "none"}),
        "cg_local": ("Local schedulers alone", {"gang": False, "local": "round_robin", "classifier": "none"}),
        "gang_rt": ("Gang with measurements", {**MEASURED, "waiting": "controlled"}),
        "gang_rt_nospin": ("Gang with measurements, no spin control", {**MEASURED, "waiting": "spin"}),
        "dhc_alt": (
            "DHC",
            {"front": "dhc", "fill": "alternative", "local": "none", "classifier": "none", "waiting": "spin",
             "tasks_per_processor": 10},
        ),
        "dhc_rt": ("DHC with measurements", {"front": "dhc", "fill": "intelligent", **MEASURED, "waiting": "controlled"}),
        "cg_partitioning": (
            "Variable partitioning of tasks",
            {"level": 1, "queue": "fcfs", "local": "none", "classifier": "none", "waiting": "spin"},
        ),
    }  # fmt: skip

    front: str = parameter("matrix", "what places jobs", choices=("matrix", "dhc"))
    packing: str = parameter("first_fit", "which row a job goes to", choices=("first_fit", "best_fit", "one_job"))
    level: int | str = parameter(
        "unlimited", "most rows that take turns", unit="rows", choices=("unlimited",), minimum=1
    )
    tasks_per_processor: int | str = parameter(
        "unlimited", "most tasks bound to a processor", unit="tasks", choices=("unlimited",), minimum=1
    )
    queue: str = parameter("skip", "whether later jobs may pass one that cannot be placed", choices=("skip", "fcfs"))
    free_on_task_end: bool = parameter(False, "whether a task's place is free before its job ends")
    selective_disabling: bool = parameter(True, "DHC: whether lower controllers stay active on unused processors")
    fill: str = parameter("none", "who owns idle processors of a row", choices=("none", "alternative", "intelligent"))
    gang: bool = parameter(True, "whether slices have owners")
    local: str = parameter("priority", "rule of the local task scheduler", choices=("none", "round_robin", "priority"))
    classifier: str = parameter("counting", "how tasks are classified", choices=("none", "counting", "bayes"))
    priority: str = parameter(
        "io_or_compute", "formula of the priority", choices=("io_or_compute", "io_less_communication")
    )
    alpha: float = parameter(2.0, "weight of I/O in the priority", minimum=1, maximum=1000)
    beta: float | str = parameter(
        "none", "priority that a local choice must exceed", choices=("none",), minimum=0, maximum=1000
    )
    statements: int = parameter(2, "statements in a slice that show communication", minimum=1)
    least_membership: float = parameter(
        0.000001, "least membership in a class under bayes", minimum=0.000001, maximum=0.3
    )
    waiting: str = parameter("spin_block", "what a waiting task does", choices=("spin", "spin_block", "controlled"))
    resume_owner: bool = parameter(False, "whether an owner that is ready again gets its processor back")
    boost: bool = parameter(True, "whether a task that becomes ready preempts a local one of lower priority")
    spin_us: float | str = parameter(
        "baseline",
        "spin limit; baseline: twice the latency and four overheads",
        unit="us",
        choices=("baseline",),
        minimum=0,
        maximum=1e9,
    )
    delta_switches: float = parameter(
        4.0, "rest of the slice that a spin limit needs", unit="context switches", minimum=0, maximum=100_000
    )
    slice_ms: float = parameter(200.0, "length of a slice", unit="ms", minimum=0.001, maximum=1e9)
    switch_us: float = parameter(200.0, "length of a context switch", unit="us", minimum=0, maximum=1e9)
    latency_us: float = parameter(10.0, "latency of the network", unit="us", minimum=0, maximum=1e9)
    overhead_us: float = parameter(8.75, "overhead of a send or a receive", unit="us", minimum=0, maximum=1e9)
    balance: bool = parameter(False, "whether irregular jobs balance their load")
    until_s: float | str = parameter(
        "done", "when the run ends", unit="s", choices=("done",), minimum=0.001, maximum=LONGEST_S
    )
    sums_s: float = parameter(
        1000.0, "length of the periods of processor_activity", unit="s", minimum=0.001, maximum=LONGEST_S
    )
    trace_from_s: float = parameter(0.0, "begin of the window of the trace", unit="s", minimum=0, maximum=LONGEST_S)
    trace_s: float = parameter(0.0, "length of that window; 0: no trace", unit="s", minimum=0, maximum=LONGEST_S)
    fast_forward: bool = parameter(True, "whether undisturbed slices are simulated at once")

    @property
    def companions(self) -> tuple[str, ...]:
        """The companion tables it needs; `programs` only where a job's application is one."""
        return ("applications",)

    def validate(self) -> None:
        """Refuse settings that do not go together."""
        if self.classifier == "none" and (self.local == "priority" or self.waiting == "controlled"):
            raise ParameterError(
                f"{self.name}: local='priority' and waiting='controlled' go by what is learned; set "
                "classifier to 'counting' or 'bayes'"
            )
        if not self.gang and (self.local == "none" or self.fill != "none"):
            raise ParameterError(
                f"{self.name}: gang=False leaves all choices to local task schedulers; set local to 'round_robin' or 'priority', "
                f"and fill to 'none'; found local={self.local!r} and fill={self.fill!r}"
            )
        if not self.gang and self.local == "priority" and not isinstance(self.beta, str):
            raise ParameterError(
                f"{self.name}: with gang=False a task whose priority is not above beta would never run; set beta to 'none'; "
                f"found beta={self.beta:g}"
            )
        if self.switch_us >= round(self.slice_ms * 1000):
            raise ParameterError(
                f"{self.name}: a slice must be longer than the context switch that it may begin with, or no task ever runs; "
                f"found slice_ms={self.slice_ms:g} and switch_us={self.switch_us:g}"
            )
        if self.fill == "alternative" and self.front != "dhc":
            raise ParameterError(
                f"{self.name}: fill='alternative' is defined for front='dhc'; found front={self.front!r}"
            )
        if self.fill == "intelligent" and self.classifier == "none":
            raise ParameterError(
                f"{self.name}: fill='intelligent' goes by what is learned; set classifier to 'counting' or 'bayes'"
            )

    def facts(self) -> ConcurrentGangFacts:
        """Return the facts that the checker needs."""
        us, second, million = 1000, 1_000_000, 1_000_000
        switch, latency, overhead = self.switch_us * us, round(self.latency_us * us), round(self.overhead_us * us)
        spin = 2 * latency + 4 * overhead if isinstance(self.spin_us, str) else round(self.spin_us * us)
        begin = us * round(self.trace_from_s * second)
        return ConcurrentGangFacts(
            slice_ns=us * round(self.slice_ms * us),
            switch_ns=round(switch),
            latency_ns=latency,
            overhead_ns=overhead,
            until_ns=None if isinstance(self.until_s, str) else us * round(self.until_s * second),
            period_ns=us * round(self.sums_s * second),
            trace_ns=(begin, begin + us * round(self.trace_s * second)),
            spin_ns=None if self.waiting == "spin" else spin,
            limit_left_ns=spin + round(self.delta_switches * switch) if self.waiting == "controlled" else None,
            gang=self.gang,
            local=self.local != "none",
            by_priority=self.local == "priority",
            alpha_ppm=round(self.alpha * million),
            less_communication=self.priority == "io_less_communication",
            beta_ppm=None if isinstance(self.beta, str) else round(self.beta * million),
            resumes_owner=self.resume_owner,
            boosts=self.boost and self.local == "priority",
            classifier=self.classifier,
            statements=self.statements,
            least_ppm=round(self.least_membership * million),
            in_matrix=self.front == "matrix",
            most_rows=None if isinstance(self.level, str) or self.front != "matrix" else self.level,
            most_tasks=None if isinstance(self.tasks_per_processor, str) else self.tasks_per_processor,
            frees_places=self.free_on_task_end,
            fills_with_owners=self.fill == "intelligent",
            balances=self.balance,
        )

    def notes(self, workload: Workload) -> tuple[str, ...]:
        """Return notes on a run that ends before the first job, or on a window of the trace that stays empty."""
        notes, facts = [], self.facts()
        first_s = workload.jobs["submit_us"][0] / MICROSECONDS if len(workload) else 0.0
        if not isinstance(self.until_s, str) and len(workload) and first_s >= self.until_s:
            notes.append(
                f"the run ends at {self.until_s:,.10g} s, and the first job is submitted at {first_s:,.10g} s: no job will run; "
                "let time begin with that job (--begin first_job, in a study begin: first_job), or end the run later (until_s)"
            )
        begin_ns, end_ns = facts.trace_ns
        if begin_ns == end_ns and begin_ns > 0:
            notes.append(
                f"trace_from_s={self.trace_from_s:.10g} says where the window of the trace begins, and trace_s={self.trace_s:g} "
                "that it has no length: nothing will be traced; set trace_s"
            )
        # a run ends with a slice
        elif (
            begin_ns < end_ns
            and facts.until_ns is not None
            and begin_ns >= -(-facts.until_ns // facts.slice_ns) * facts.slice_ns
        ):
            notes.append(
                f"the run ends at {self.until_s:,.10g} s, and the window of the trace begins at {self.trace_from_s:,.10g} s: "
                "nothing will be traced; let the window begin earlier (trace_from_s), or end the run later (until_s)"
            )
        return tuple(notes)

    def sample(self) -> Workload:
        """Return jobs of all applications."""
        from scheduler_core.concurrent_gang.sample import sample_workload

        return sample_workload()
