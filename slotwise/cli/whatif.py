"""`slotwise whatif LOG`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError, StudyError, naming_key
from slotwise.cli.accounting import show_accounting
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.outputs import add_out, refuse_existing
from slotwise.cli.words import a_path, option_words, print_table, say, tell
from slotwise.cli.workloads import (
    LOG_OPTIONS,
    add_flexibility,
    add_log,
    flexible,
    read_flexibility,
    read_log_asked,
    tell_notes,
)

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from slotwise.planning.pools import PoolAsked, Pools
    from slotwise.planning.scenarios import Scenario
    from slotwise.planning.simulations import WhatIf
    from traces.shape.regimes import Usable

CHANGES = ("try", "processors", "load", "estimates", "close")
"""The options that name scenarios."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_log(parser)
    add_flexibility(parser)
    parser.add_argument(
        "--baseline",
        default="easy",
        metavar="POLICY",
        help="the policy to compare with (default: easy); `slotwise validate` shows how well it explains the recorded waits",
    )
    kinds = (
        ("try", "POLICY", "another policy, such as conservative"),
        ("processors", "SIZE", "another machine, such as 256 or +25%%"),
        ("load", "CHANGE", "another load, such as x1.2 or +20%%"),
        ("estimates", "ESTIMATES", "other estimates: exact, tsafrir or 'f_model(f=10)'"),
        (
            "close",
            "JOBS=HOURS",
            "hours of the week closed to jobs, such as 2=workdays:8-18, over4h=mon-fri:7-16 or all=tue:8-12",
        ),
    )
    for option, metavar, meaning in kinds:
        parser.add_argument(
            f"--{option}", action="append", default=[], metavar=metavar, help=f"a scenario: {meaning}; may be repeated"
        )
    parser.add_argument(
        "--pool",
        action="append",
        default=[],
        metavar="JOBS:PROCESSORS",
        help="split the machine: the jobs of a partition or queue have processors of their own, such as partition=1:120, "
        "queue=2,5:8 or partition=2:8:conservative, whose baseline is conservative; repeat it for every pool",
    )
    parser.add_argument(
        "--tune",
        choices=("mean_wait", "mean_bounded_slowdown"),
        help="search the options of backfilling that serve this metric best: odd weeks choose, even weeks judge",
    )
    parser.add_argument(
        "--names",
        type=a_path,
        metavar="FILE.csv",
        help="show users, groups, queues and partitions by the names in this file, which `slotwise import --names` writes "
        "(default: by their numbers in the log)",
    )
    parser.add_argument(
        "--study",
        type=a_path,
        metavar="FOLDER",
        help="write the same question as a study, for `slotwise study run FOLDER`; the folder's name is that of the study",
    )
    add_out(parser, "PAGE.html", "the page; its tables go into a folder beside it", Path("whatif.html"))


def run(arguments: argparse.Namespace) -> int:
    """Simulate the log under every scenario, write the page and its tables, and print the answer."""
    from scheduler_core.common.files import target_file, write_text
    from scheduler_core.declarations.policy import get_policy
    from slotwise.planning.answers import scenarios_of
    from slotwise.planning.fair_share import several_users
    from slotwise.planning.names import read_names, with_names
    from slotwise.planning.page import next_words, tables_folder, write_page
    from slotwise.planning.pools import a_pool, baseline_of, policies_in
    from slotwise.planning.recorded import use_sentences
    from slotwise.planning.scenarios import Scenario, has_gaps, usual
    from slotwise.planning.simulations import what_if
    from slotwise.planning.words import answer_sentences, grade_sentence, hours, short_change, tuned_sentences

    asked = [a_pool(text) for text in arguments.pool]
    baseline = Scenario(baseline_of(asked, arguments.baseline))
    workload, pools = read_pools(arguments, asked)
    changes = [getattr(arguments, option) for option in CHANGES]
    asked_for = scenarios_of(baseline, workload.machine.processors, *changes)
    scenarios = asked_for or usual(baseline, several_users(workload.jobs), has_gaps(workload))
    named = dict.fromkeys(policy for one in (baseline, *scenarios) for policy in policies_in(one.policy, len(pools)))
    tell_notes(map(get_policy, named), workload)
    names = None if arguments.names is None else read_names(arguments.names)
    target_file(arguments.out)
    study = None if arguments.study is None else target_file(arguments.study / "study.yaml")
    refuse_existing([arguments.out, tables_folder(arguments.out), *([study] if study else [])], arguments.force)
    given = option_words(
        arguments, ("baseline", *CHANGES, "pool", "tune", *LOG_OPTIONS, "flexibility", "names", "study", "out")
    )
    command = shlex.join(["slotwise", "whatif", str(arguments.log), *given])
    if study is not None:
        study_of(
            arguments, pools, asked, [baseline, *scenarios], command
        )  # refuses what no study can ask, before it takes time
    tell_of_compiling()
    found = what_if(workload, arguments.log.name, baseline, scenarios, say, arguments.tune or "", pools)
    say("")
    found = found if names is None else with_names(found, names)
    folder = write_page(found, arguments.out, command)
    if study is not None:
        further = tuned_scenarios(found, [baseline, *scenarios])
        write_text(study, study_of(arguments, pools, asked, [baseline, *further, *scenarios], command))
    show_accounting(workload, arguments.verbose)
    grade = f"{found.validation.grade.name}. " if found.validation else ""
    tell(f"\n{grade}{grade_sentence(found)}")
    answer = list(answer_sentences(found))
    for sentence in (*(use_sentences(found.validation.use) if found.validation else ()), *answer):
        tell(sentence)
    print()
    ratios = ["(baseline)", *[short_change(one.effect.ratios["wait_h"]) for one in found.results]]
    simulated = zip((found.baseline, *found.results), ratios, strict=True)
    rows = [(one.label, hours(one.mean_wait_h), change) for one, change in simulated]
    print_table(("scenario", "mean wait", "change (95 % CI)"), rows)
    for sentence in tuned_sentences(found):
        if sentence not in answer:
            tell(f"\ntuned: {sentence}")
    print(f"\nwritten to {arguments.out}, its tables to {folder}")
    if words := next_words(found):
        tell(words)
    if study is not None:
        print(f"study: slotwise study run {shlex.quote(str(arguments.study))}")
    return 0


def read_pools(arguments: argparse.Namespace, asked: Sequence[PoolAsked]) -> tuple[Workload, Pools]:
    """Return the jobs of the log that the options choose, and those of each pool.

    Raise :class:`ParameterError` for ``--usable``, which is for a machine of one pool, and for the credit of a queue in no pool.
    """
    from slotwise.planning.pools import log_of, pools_of
    from traces.shape.selection import refuse_other_queues

    if asked and arguments.usable:
        raise ParameterError("--usable is for a machine of one pool; leave it or --pool out")
    log = flexible(read_log_asked(arguments), arguments)
    pools = pools_of(log, asked)
    together = log_of(log, pools)
    with naming_key("--queue-credit"):
        refuse_other_queues(together, dict(arguments.queue_credit or ()))
    return together, pools


def tuned_scenarios(found: WhatIf, known: Sequence[Scenario]) -> list[Scenario]:
    """Return the tuned setting as a scenario for a study, if even weeks confirm it and it is not among the ``known``.

    Credits of queues belong to a workload, not to a policy: a setting with credits is no scenario.
    """
    from slotwise.planning.scenarios import Scenario

    if found.confirmed is None or found.tuned is None or found.tuned.setting is None or found.tuned.setting.credit:
        return []
    scenario = Scenario(found.tuned.setting.policy)
    return [] if scenario in known else [scenario]


def study_of(
    arguments: argparse.Namespace, pools: Pools, asked: Sequence[PoolAsked], scenarios: Sequence[Scenario], command: str
) -> str:
    """Return the study that the option ``--study`` asks for.

    Raise :class:`ParameterError` when the jobs come from a workload file, which no study names.
    """
    from slotwise.planning.study import study_text
    from workflow.checks import Place, read_identifier

    if arguments.log.suffix == ".parquet":
        raise ParameterError("--study: a study takes its jobs from a log; found a workload file")
    name = arguments.study.resolve().name
    try:
        read_identifier(name)
    except StudyError as error:
        raise Place("--study").wrong(error) from error
    own = {pool.name: {pool.column: list(pool.numbers), "usable": pool.processors} for pool in asked} or {"": {}}
    keys = {pool: {**definition_of(arguments, jobs), **own[pool]} for pool, jobs in pools.items()}
    if asked and arguments.first:  # a study takes the first jobs of the pool, not of the log
        keys = {pool: {**entry, "first": len(pools[pool])} for pool, entry in keys.items()}
    return study_text(name, arguments.log.name, pools, keys, scenarios, command)


def definition_of(arguments: argparse.Namespace, workload: Workload) -> dict[str, Any]:
    """Return the log, and the options that choose its jobs and machine, as keys of a study's workload."""
    from traces.shape.selection import queues_of

    steps = {step["step"]: step for step in workload.provenance.get("transformations", [])}
    queues = queues_of(workload)
    log = arguments.log.resolve() if arguments.log.is_file() else arguments.log
    part: Usable | None = arguments.usable
    model = read_flexibility(arguments)
    whole = steps["usable"]["of"] if "usable" in steps else workload.machine.processors
    keys = {
        "log": str(log),
        "processors": whole if arguments.procs else None,
        **{key: getattr(arguments, key) for key in ("partition", "queue", "where", "first", "begin")},
        "usable": part and (str(part) if part.changes else part.processors),
        "queue_credit_h": {queue: hours for queue, hours in arguments.queue_credit or () if queue in queues},
        "standstills_h": arguments.standstills,
        "closed_hours": arguments.closed_hours,
        "flexibility": model and {"model": model.name, **model.values()},
    }
    return {key: value for key, value in keys.items() if value}
