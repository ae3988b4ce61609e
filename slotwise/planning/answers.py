"""What-if from Python: the answer, the tables, the charts and the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError, found_words, naming_key
from scheduler_core.contracts.workload import require_workload
from slotwise.planning import fitted, models, page, validation, words
from slotwise.planning.changes import a_multiple, a_size, processors_of
from slotwise.planning.fair_share import several_users
from slotwise.planning.names import read_names, with_names
from slotwise.planning.pools import a_pool, baseline_of, log_of, pools_of
from slotwise.planning.scenarios import Say, Scenario, has_gaps, proved, usual
from slotwise.planning.simulations import WhatIf, what_if
from traces.shape.closing import closing_named
from traces.written_values import estimates_named

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload
    from scheduler_core.declarations.policy import Policy


@dataclass(frozen=True, repr=False)
class Answer:
    """What a what-if found, as sentences, tables, charts and a page."""

    found: WhatIf

    @property
    def grade(self) -> str:
        """What the simulation may be used for."""
        return words.grade_sentence(self.found)

    @property
    def sentences(self) -> list[str]:
        """Which change, how much, for whom, how sure."""
        return list(words.answer_sentences(self.found))

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables behind the page by name: scenarios, growth, weeks, groups and recorded waits. Waits are in hours."""
        return page.tables(self.found)

    @property
    def charts(self) -> dict[str, Any]:
        """The charts of the page by name, as Altair objects; those that the log cannot fill are missing."""
        return {name: drawn for name, (draw, _) in page.PICTURES.items() if (drawn := draw(self.found)) is not None}

    def save(self, path: Path | str) -> Path:
        """Write the page, and its tables into a folder beside it; return that folder."""
        return page.write_page(self.found, Path(path), "made from Python")

    def __str__(self) -> str:
        return "\n".join([self.grade, *self.sentences])

    __repr__ = __str__


def whatif(
    log: Workload | str | Path,
    policies: Sequence[str] = (),
    *,
    baseline: str = "easy",
    processors: Sequence[str | int] = (),
    load: Sequence[str] = (),
    estimates: Sequence[str] = (),
    close: Sequence[str] = (),
    pools: Sequence[str] = (),
    tune: str = "",
    name: str = "",
    names: Path | str | None = None,
    say: Say = lambda text: None,
) -> Answer:
    """Return what would change for the jobs of a log under other policies, processors, loads, estimates or opening hours.

    Every scenario is simulated, proved feasible, and compared with the baseline job by job. Without any, a usual set is tried.

    Parameters
    ----------
    log
        The jobs as they were submitted (:func:`slotwise.read_log`), or the path or name of a log.
    policies
        Policies to try, such as ``conservative`` or ``easy(reservations=4)``.
    baseline
        The policy to compare with.
    processors, load
        Other machines and loads, as changes: ``+25%``, ``-10%`` or ``x1.2``. A machine may be a number of processors, too.
    estimates
        Other estimates: ``exact``, ``tsafrir`` or ``f_model(f=10)``.
    close
        Hours of the day in which queues are closed, such as ``2=workdays:8-18``: no policy starts a job of the queue then.
    pools
        Parts of the machine with jobs and processors of their own, such as ``partition=1:120``.
    tune
        ``mean_wait`` or ``mean_bounded_slowdown``: search the options of backfilling that serve this metric best.
    name
        What the page calls the log.
    names
        The CSV that ``slotwise import --names`` writes: users, groups, queues and partitions are shown by these names.
    say
        Called with what is being done.
    """
    for what, given in (
        ("policies", policies),
        ("load", load),
        ("estimates", estimates),
        ("close", close),
        ("pools", pools),
    ):
        require_texts(what, given)
    if isinstance(processors, str | int):
        raise ParameterError(f"processors: expected a list, such as [{processors!r}]; found {processors!r}")
    asked = [a_pool(text) for text in pools]
    log, base = jobs_of(log), Scenario(baseline_of(asked, baseline))
    parts = pools_of(log, asked)
    log = log_of(log, parts)
    asked_for = scenarios_of(base, log.machine.processors, policies, processors, load, estimates, close)
    scenarios = asked_for or usual(base, several_users(log.jobs), has_gaps(log))
    known = None if names is None else read_names(Path(names))
    found = what_if(log, name or str(log.provenance.get("file", "the workload")), base, scenarios, say, tune, parts)
    return Answer(found if known is None else with_names(found, known))


def require_texts(what: str, given: object) -> None:
    """Raise :class:`ParameterError` unless an argument is a list of texts; functions have no text, so tell how they get one."""
    if isinstance(given, str):
        raise ParameterError(f"{what}: expected a list, such as [{given!r}]; found {given!r}")
    for one in given if isinstance(given, Sequence) else [given]:
        if not isinstance(one, str):
            own = "; write a policy of your own to a file and give it as 'FILE.py:NAME'" if callable(one) else ""
            raise ParameterError(f"{what}: expected a list of texts; found {found_words(one)}{own}")


def scenarios_of(
    baseline: Scenario,
    today: int,
    policies: Sequence[str],
    processors: Sequence[str | int],
    load: Sequence[str],
    estimates: Sequence[str],
    close: Sequence[str],
) -> list[Scenario]:
    """Return the scenarios that are asked for: one change each; then all but the policies together, if several change.

    The machine of ``today`` has so many processors.
    """
    with naming_key("--close"):
        closings = [tuple(sorted(closing_named(text).items())) for text in close]
    changes: list[list[dict[str, Any]]] = [
        [machine_change(str(size), today) for size in processors],
        [{"load": a_multiple(text, "--load")} for text in load],
        [{"estimates": estimates_named(text)} for text in estimates],
        [{"closing": closing} for closing in closings],
    ]
    scenarios = [replace(baseline, policy=policy) for policy in policies]
    scenarios += [replace(baseline, **change) for several in changes for change in several]
    together = [several[0] for several in changes if several]
    if len(together) > 1:
        scenarios.append(replace(baseline, **{key: value for change in together for key, value in change.items()}))
    return scenarios


def machine_change(text: str, today: int) -> dict[str, Any]:
    """Return what a machine of another size changes; raise :class:`ParameterError` when it has as many processors as today."""
    size = a_size(text, "--processors")
    processors = processors_of(size, today)
    if processors == today:
        raise ParameterError(f"--processors: {text} changes nothing; the machine has {today:,} processors")
    if isinstance(size, int):
        return {"processors": processors / today, "size": size}
    return {"processors": size}


def jobs_of(log: Workload | str | Path) -> Workload:
    """Return a workload as it is, or the jobs of a log by its path or name."""
    from traces.ingest import read_log

    if isinstance(log, str | Path):
        return read_log(log)
    require_workload(log)
    return log


def validate(log: Workload | str | Path, policy: Policy | str | Callable[..., Any] = "easy") -> validation.Validation:
    """Return a policy's simulated waits beside those that a log recorded, with a grade.

    Raise :class:`ContractError` when the log records too few waits. See :class:`slotwise.planning.validation.Validation`.

    Parameters
    ----------
    log
        The jobs as they were submitted, with the waits that the log recorded (:func:`slotwise.read_log`); or the path or name
        of the log.
    policy
        A policy, such as ``easy`` or ``easy(reservations=4)``, or a policy of your own, as :func:`slotwise.simulate` takes it.
    """
    from scheduler_core.runs.simulation import policy_of

    return validation.validate(jobs_of(log), policy_of(policy, {}), lambda jobs, kind: proved(jobs, kind)[0])


def fit(log: Workload | str | Path, say: Say = lambda text: None) -> models.Fit:
    """Return which policy and machine explain the waits that a log recorded best, step by step.

    Models are chosen on odd weeks and checked on even ones. Raise :class:`ContractError` when the log records too few waits. See
    :class:`slotwise.planning.models.Fit`.
    """
    return fitted.fit(jobs_of(log), say)
