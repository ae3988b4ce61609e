"""LOMARC: matching jobs share processors, two at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.coscheduling.facts import CoschedulingFacts, MatchFacts
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from scheduler_core.coscheduling.facts import Gain


@dataclass(frozen=True)
class Lomarc(Policy):
    """LOMARC: EASY backfilling with priority classes, in which two jobs that use different resources may share processors.

    The family's page (:mod:`scheduler_core.coscheduling`) says how work is done, which processors a job gets, and when
    there is a pass. A *pair* are two jobs on the same processors: the *holder*, which had them, and the *partner*, which
    joined it; all shares are 1,000,000. A job that runs is *alone* if no job shares its processors, be it suspended. With
    ``match="none"`` no job is ever paired: this is space sharing by priority (the policy ``priority``, with the same
    parameters). In what follows ``T`` is a job's estimate, or what is left of it: the estimate less the work it has done;
    ``S`` is its size, ``P`` the number of processors, ``now`` the time of the pass. Times, sizes and w = T S are whole
    numbers, and become numbers in double precision before they are divided. All arithmetic on fractions, slowdowns and
    profits is in double precision, in the order in which it is written here: products and quotients before sums, each from
    left to right, and no two operations in one.

    Queue
    -----
    A job's class is that of its estimate: short (level 2) up to ``short_limit_s``, medium (level 1) up to
    ``medium_limit_s``, long (level 0) beyond. Waiting raises the level, up to that of short jobs, not the class: level(j,
    now) = min(2, class level + floor((now - submit) / A)). The queue is in order of level (highest first), then of
    position, by the levels at the begin of the pass; it is not put in order again within the pass. ``aging`` says what A
    is, at the begin of the pass: ``running_mean``: the mean wait (start less submission, rounded down) of all jobs started
    before this pass, but at least ``aging_min_s``, also before any job has started; ``fixed``: ``aging_fixed_s``; ``off``:
    levels do not rise.

    Slowdown of a pair
    ------------------
    Of the workload's table ``behaviour`` a job has its kind, the fractions cpu, network, disk and the combined ones
    (cpu_network and so on), and two phases. Each resource counts with every fraction that contains it::

        C = cpu + cpu_network + cpu_disk
        N = network + cpu_network + network_disk
        D = disk + cpu_disk + network_disk

    and m_C, m_N, m_D are the lesser of both jobs' values. frac(x + y) is x + y, less 1 where that is 1 or more. Two jobs
    are *compatible* if frac(cpu_phase + cpu_phase of the other) < ``compatible_share``. The CPU factor c is
    ``shared_compatible`` with ``cpu="hyperthreading"`` for compatible jobs, else 2. The slowdown s is by ``slowdown``:

    * ``printed_raw``: min(2, c m_C + 2 m_N + 2 m_D);
    * ``printed``: the same, but at least 1;
    * ``unshared_counted``: min(2, 1 + (c - 1) m_C + m_N + m_D);
    * ``table``: the greater of the two cells of the table ``slowdowns``, one job's application beside the other's, and the
      reverse.

    If the two need more memory on a processor than it has (``memory_kb`` of both add up to more than the machine's; a job
    that does not say needs 0; a machine that does not say, 0, has room for all), then with ``memory_conflict``:
    ``additive`` s becomes s + 2.5; ``replace`` max(s, 2.5); ``excess`` s + 1.5. At last s is rounded to whole millionths,
    floor(1,000,000 s + 0.5), at least one: this is the *believed* slowdown of both jobs of the pair; from here on ``s`` is
    that number / 1,000,000.0.

    The *actual* slowdown, by which both are slowed, is the believed one with ``model_error`` = 0. Else x = 2
    frac(error_phase + error_phase of the other) - 1 with ``error_side="both"``, or frac(...) itself with ``slower``, and
    the actual slowdown is floor(1,000,000 max(1, s (1 + ``model_error`` x)) + 0.5) millionths. The scheduler goes by the
    believed one; of the work a job has done it always knows.

    Predicted ends
    --------------
    A job alone is predicted to end at now + T, with now and T of when it came to be alone. A pair formed now, with T_A and
    T_B left, is predicted so: the job with the lesser T ends at now + ceil(min(T_A, T_B) ppm / 1,000,000), in whole
    numbers, where ppm is the believed slowdown in millionths; the other |T_A - T_B| after that. With equal T both end at
    the first of these times. Where a partner is suspended (below), the holder is predicted as a job alone, and the partner
    its own T later. Predictions stand until the jobs on the processors change; a time predicted for before now counts as
    now. Processors are predicted to come free when the last that has them is predicted to end: of a holder's S_A, with a
    partner on S_B of them, S_A - S_B at the holder's end, and S_B at the later of both ends.

    Profit
    ------
    For A, which has processors or is given them, and B, which is to join it; S_B <= S_A.

    * ``utilisation_2``: g = (1,000,000 (S_A + S_B) - S_A ppm) / (S_A ppm): the two integers, then one quotient. It is the
      gain on the processors of both, less the loss on those of A alone, per processor of A.
    * ``utilisation_1``: g (min(T_A, T_B) / max(T_A, T_B)).
    * ``response``: the change of response times relative to what they would be if jobs packed perfectly, one after the
      other. w = T S is a job's work on all its processors; R_0 = w_A / P; the waiting jobs behind A are numbered 1, 2, ...
      n in queue order, and R_k = R_(k-1) + w_k / P. H_0 = 1 / R_0 and H_k = H_(k-1) + 1 / R_k. For B, number b of them::

          together    = min(T_A, T_B) (s - 1) + max(T_A, T_B)
          delay       = (together S_A - w_A) / P
          improvement = w_B / P - delay
          worse       = delay H_(b-1)
          better      = (R_b - w_B s / P) / R_b + improvement (H_n - H_b)
          profit      = (better - worse) / max(1, n - 1)

      With ``improvement="as_printed"`` improvement = w_A / P, which figure 5 calls so. With ``divisor="difference"`` the
      last line divides by max(1, |2 b - 1 - n|): b - 1 jobs are pushed down, n - b pulled up.

      With a forecast of future submissions (below), whose mean time between submissions is a, mean work w_mean and share of
      short jobs p, and f = Q / a, before the last line::

          average:     worse = worse + f p delay / (w_mean / P)
                       better = better + f (1 - p) improvement / (w_mean / P)
          classes:     worse = worse + f p delay / (w_short / P)
                       better = better + f (1 - p) improvement / (w_other / P)
          cumulative:  worse = worse + f p delay / (w_mean / P)
                       better = better + f (1 - p) improvement / (Q + w_mean / P)

      w_short is the mean work of short jobs and w_other that of medium and long ones; where there are no such jobs, the
      line is left out. Q is the backlog by ``backlog``. ``behind``: R_n, the work of A and of the jobs behind it. ``all``:
      the sum of w of all waiting jobs, an integer, over P; in backfilling the jobs ahead of A count, and a running A does
      not.

      In a search among running jobs, A is the running job with the T it has left, B the job that seeks a partner, and it is
      number 1; those behind it are 2 ... n, so that b is 1. There H_n - H_1 is computed as 1 / R_2 + ... + 1 / R_n, added
      up from 0.0 on in this order.

    ``future`` is one of the three words, or ``none``: there is no forecast. The means are those of ``future_from``:
    ``workload``: all jobs of the workload; ``so_far``: those submitted up to now, and no forecast before the 100th. Of
    these jobs in order of position, w is estimate x size; a = (last submission - first) / (jobs - 1), p = short jobs /
    jobs, and a mean is a sum (an integer) / a number of jobs. There is no forecast where a is 0 or there is but one job.

    Search among the waiting
    ------------------------
    A search for job A looks at the waiting jobs behind A in queue order. A job B *passes* if

    1. it is medium or long;
    2. S_B <= S_A;
    3. the two are not in conflict over memory (as above);
    4. their types match: ``hyperthreading``: their kinds differ, or both are cpu; ``standard``: one is cpu, the other disk;
    5. the believed slowdown is at most ``max_slowdown`` (in millionths, rounded like s); they are compatible, where both
       are cpu, unless ``slowdown="table"``; and, with a ``network_limit``, N_A + N_B <= ``network_limit``.

    Of those who pass, ``match`` says which is taken:

    * ``best``: the one with most profit, if that is above 0; ties go to the earlier in the queue;
    * ``first``: the first; with ``first_needs_gain`` the first with ``utilisation_2`` above 0. No profit is computed (0 in
      the table ``matches``);
    * ``best_of_three``: as ``best``, among the first three who pass;
    * ``above``: the first whose profit is above 0 and at least ``profit_above``;
    * ``adjacent``: the next job behind A, if it passes; the search looks at no other. No profit is computed;
    * ``always``: the first with S_B <= S_A: of the five tests only the second is made. No profit is computed.

    Search among the running
    ------------------------
    A search for a waiting job B looks at the running jobs that are alone and may be paired (see *Pass*; by the whole of its
    estimate a job is short or not), in the order in which they were started, those started in this pass included; where
    there is none, no search is made. A job A passes by the same tests but the first, and S_B <= S_A. The choice is the
    same, ties to the one started earlier. With ``adjacent`` there is no such search.

    Pass
    ----
    With ``preempt_above``, first every pair whose actual slowdown is above that number has its partner *suspended*, until
    the holder ends: then the partner goes on, alone. Meanwhile no other job joins the holder. Then::

        while jobs wait:
            A = the first of the queue
            if S_A <= free processors:
                if A may be paired and the machine is not weakly loaded: B = search among the waiting for A
                start A on free processors; if there is a B, B starts there too and joins A
            else:
                if A may be paired: B = search among the running for A
                if there is none, end the loop;  A starts and joins it
        if jobs wait: backfill

    A job *may be paired* if it is medium or long, with ``always`` whatever its class, with ``none`` never. The machine is
    *weakly loaded* if the sizes of all waiting jobs, A and those ahead of it included, add up to at most ``weak_load`` x
    free processors, before A is started; 0: it never is. With ``always`` the rule does not apply. With ``match_running``
    off there are no searches among the running.

    Backfilling: the first of the queue has the reservation. Its *shadow* is the earliest time at which, by the predicted
    ends, at least its size is free, and *extra* are the processors free then, all that come free at that time counted, less
    its size. For every job K behind the first, in queue order, that has not been started by now::

        if S_K <= free processors and (now + T_K <= shadow or S_K <= extra):
            if K may be paired and the machine is not weakly loaded: B = search among the waiting for K
            start K; if there is a B, B starts and joins K
            if the last of what was started is predicted to end after the shadow: extra = extra - S_K
        else if K may be paired:
            A = search among the running for K, of those with whom the pair's last predicted end is not after the shadow
            if there is one, K starts and joins it

    A partner B for K should not use up what the reservation needs: S_K <= extra, or the pair's last predicted end is not
    after the shadow. ``forbidden_partner`` decides about a partner that breaks this rule. ``replaced``: it is no candidate of
    ``match`` (the rule comes after the fifth test and does not count as one). ``dropped``: ``match`` chooses among all that
    pass; if it chooses such a partner, K starts alone. ``beyond_shadow="as_printed"`` takes K from extra only when K alone
    ends after the shadow (now + T_K > shadow), whatever its partner. With ``match_backfilling`` off no search is made in
    backfilling.

    Table ``matches``
    -----------------
    A row per pair, in the order of the pass. ``job`` is the one the search was for: A among the waiting, B among the
    running. ``looked_at``: jobs the search looked at: all there were, but with ``first``, ``above`` and ``always`` up to
    the one taken, with ``best_of_three`` up to the third who passed (who was no choice not counted), and with ``adjacent``
    1. The next five count those left of them after each test; a test that is not made is passed by all. ``rank`` is the
    place of the one taken among those who passed the fifth. ``backfilling`` says that the search was made in backfilling.

    Counters: ``passes``; ``searches_waiting`` and ``searches_running``, made, with result or without (among the running
    only where one is alone); ``weak_load_passes``, in which a job went without a search because the machine was weakly
    loaded; ``backfilled``, jobs started in backfilling, partners included; ``pushed_down`` and ``pulled_up``, over all
    pairs formed among the waiting, the jobs that waited between the two, and those behind the partner; ``suspended``,
    partners suspended.

    Sources of the parameters, by section of the paper: ``max_slowdown``, ``short_limit_s`` and ``medium_limit_s`` 6.2;
    ``shared_compatible`` and ``compatible_share`` 6.1; ``match_running`` 5.1 (figure 2); ``match_backfilling`` 5.1;
    ``profit_above`` 7 (future work); ``preempt_above`` 5.1. The source names aging by the average waiting time (5.1, 6.2)
    without a number: ``aging_min_s`` is chosen here. Section 5.2 forecasts for "the execution of the jobs that are currently
    in the queue", which is ``backlog="all"`` by the letter; the default ``behind`` is chosen here. ``network_limit`` = 1 is
    the condition of 4.2, which the source names and does not use; no study sets it.
    """

    name: ClassVar[str] = "lomarc"
    label: ClassVar[str] = "LOMARC"
    source: ClassVar[str] = (
        "Sodan and Lan, LOMARC: lookahead matchmaking for multi-resource coscheduling, 2005: section 4.1 (slowdown), sections "
        "5.1 and 5.2 (figures 1 to 5), section 6.2 (the strategies compared)"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "lomarc_pss": ("PSS", {"match": "none"}),
        "lomarc_ac": ("AC", {"match": "always"}),
        "lomarc_am": ("AM", {"match": "adjacent"}),
        "lomarc_n": ("L-N", {"match": "best", "profit": "utilisation_1", "cpu": "standard"}),
        "lomarc_u1": ("L-U1", {"match": "best", "profit": "utilisation_1"}),
        "lomarc_u2": ("L-U2", {"match": "best", "profit": "utilisation_2"}),
        "lomarc_r": ("L-R", {"match": "best", "profit": "response"}),
        "lomarc_fm": ("L-FM", {"match": "first"}),
    }

    match: str = parameter(
        "best",
        "which of the jobs that pass the tests becomes the partner; always: no tests but that of sizes; none: no job",
        choices=("best", "none", "always", "adjacent", "first", "best_of_three", "above"),
    )
    profit: str = parameter(
        "response", "what a pair is judged by", choices=("response", "utilisation_1", "utilisation_2")
    )
    profit_above: float = parameter(0.2, "least profit of the partner with match=above", minimum=0)
    first_needs_gain: bool = parameter(False, "whether the first match must also use the processors better")
    cpu: str = parameter("hyperthreading", "kind of processors", choices=("hyperthreading", "standard"))
    slowdown: str = parameter(
        "printed",
        "slowdown of a pair: the formula as printed, at least 1, or without that bound; with the time in which only one of the "
        "two uses a resource; or as measured",
        choices=("printed", "printed_raw", "unshared_counted", "table"),
    )
    memory_conflict: str = parameter(
        "additive", "how paging changes the slowdown of a pair", choices=("additive", "replace", "excess")
    )
    max_slowdown: float = parameter(1.6, "largest slowdown of a pair", minimum=0)
    network_limit: float | str = parameter(
        "off", "largest sum of both jobs' network fractions", choices=("off",), minimum=0
    )
    weak_load: float = parameter(
        0.8, "largest demand of the queue, as part of the free processors, that is a weak load; 0: none is", minimum=0
    )
    match_running: bool = parameter(True, "whether partners are searched among running jobs, too")
    match_backfilling: bool = parameter(True, "whether partners are searched in backfilling, too")
    beyond_shadow: str = parameter(
        "counts",
        "whether a pair uses up extra processors when it ends after the shadow time, or only when its first job alone would",
        choices=("counts", "as_printed"),
    )
    forbidden_partner: str = parameter(
        "replaced",
        "whether a partner that would delay the reservation gives way to the next best, or to none",
        choices=("replaced", "dropped"),
    )
    improvement: str = parameter(
        "saved",
        "what pulled-up jobs gain in the profit response: the time that a pair saves, or the time of the holder alone, as in "
        "figure 5",
        choices=("saved", "as_printed"),
    )
    divisor: str = parameter(
        "sum",
        "what the profit response is divided by: all other jobs, or by how many more are pulled up than pushed down, as in "
        "figure 5",
        choices=("sum", "difference"),
    )
    future: str = parameter(
        "average",
        "future jobs in the profit response: by the mean work of all, not at all, by the mean work of their class, or as coming "
        "after all that wait",
        choices=("average", "none", "classes", "cumulative"),
    )
    backlog: str = parameter(
        "behind",
        "work that the forecast takes to be run first: of the holder and all behind it, or of all waiting jobs",
        choices=("behind", "all"),
    )
    future_from: str = parameter(
        "workload", "jobs of which the means are taken: all, or those submitted so far", choices=("workload", "so_far")
    )
    model_error: float = parameter(0.0, "largest relative error of the believed slowdown", minimum=0, maximum=1)
    error_side: str = parameter("both", "whether slowdowns may also be below the believed", choices=("both", "slower"))
    preempt_above: float | str = parameter(
        "off", "actual slowdown of a pair above which its partner is suspended", choices=("off",), minimum=1
    )
    shared_compatible: float = parameter(1.4, "CPU factor of compatible jobs", minimum=1, maximum=2)
    compatible_share: float = parameter(0.33, "part of all pairs that are compatible", minimum=0, maximum=1)
    short_limit_s: float = parameter(60.0, "longest estimate of a short job", unit="s", minimum=0)
    medium_limit_s: float = parameter(3600.0, "longest estimate of a medium job", unit="s", minimum=0)
    aging: str = parameter("running_mean", "what the aging time is", choices=("running_mean", "fixed", "off"))
    aging_min_s: float = parameter(3600.0, "least aging time with running_mean", unit="s", minimum=1)
    aging_fixed_s: float = parameter(86400.0, "aging time with fixed", unit="s", minimum=1)

    def validate(self) -> None:
        """Refuse class limits that are out of order."""
        self.refuse_above("short_limit_s", "medium_limit_s")

    @property
    def companions(self) -> tuple[str, ...]:
        """The tables it needs: none where no job is paired; where slowdowns were measured, these too."""
        if self.match == "none":
            return ()
        return ("behaviour", "slowdowns") if self.slowdown == "table" else ("behaviour",)

    def facts(self) -> CoschedulingFacts:
        """Return the facts that the checker's rules need about how pairs are formed."""
        if self.match == "none":
            return CoschedulingFacts(jobs_at_once=1)
        weighs = self.match in ("best", "best_of_three", "above")
        gain: Gain = self.profit if weighs else "none"  # type: ignore[assignment]  # its choices are those words
        matches = MatchFacts(
            filters=self.match != "always",
            running=self.match_running and self.match != "adjacent",
            backfilling=self.match_backfilling,
            gain=gain,
            least_gain=self.profit_above if self.match == "above" else 0.0,
            gainful=self.match == "first" and self.first_needs_gain,
        )
        return CoschedulingFacts(jobs_at_once=2, matches=matches)

    def sample(self) -> Workload:
        """Return jobs with the companion table it needs."""
        from scheduler_core.coscheduling.match_sample import sample_workload

        return sample_workload()
