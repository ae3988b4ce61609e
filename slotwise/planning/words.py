"""The sentences of a what-if page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.declarations.words import capitalised, counted
from slotwise.planning.ceilings import ceiling_words
from slotwise.planning.differences import differences
from slotwise.planning.fair_share import fair_share_words
from slotwise.planning.pools import BETWEEN
from slotwise.planning.simulations import MORE_WORK, Result, Simulated, WhatIf, crossing
from slotwise.planning.waits import HOUR_US
from traces.shape.closing import closing_words
from traces.shape.regimes import regime_words, usable_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.contracts import Workload
    from slotwise.planning.effects import Effect, Ratio
    from slotwise.planning.pools import Pools
    from slotwise.planning.scenarios import Scenario


UNCLEAR = "does not clearly change"
"""How a mean moves whose interval includes no change."""

SAME = "no job waits a minute longer or shorter"
"""What is said of a change that leaves every wait as it is."""

TOO_FEW = "The log has too few weeks to tell whether"
"""How a sentence begins about a change without an interval."""

NO_INTERVAL, TOO_SHORT = "(no interval)", "(no interval: too few weeks)"
"""What stands in place of an interval, in tables and in sentences."""


def hours(value: float | None) -> str:
    """Return hours as people read them: seconds below one minute, minutes below one hour, days above three."""
    if value is None:
        return "–"
    if abs(seconds := round(value * 3600)) < 60:
        return f"{seconds} s".replace("-", "−")
    if round(value * 60) < 60:
        return f"{round(value * 60)} min".replace("-", "−")
    return f"{value:.1f} h" if value < 72 else f"{value / 24:.1f} days"


def change(ratio: Ratio) -> str:
    """Return a ratio as a change with its interval: ``−12 % (95 % CI −15 to −9)``."""
    short = short_change(ratio)
    return short.replace(NO_INTERVAL, TOO_SHORT) if ratio.low is None else short.replace("(", "(95 % CI ", 1)


def short_change(ratio: Ratio) -> str:
    """Return a ratio as a change with its interval, for tables: ``−12 % (−15 to −9)``."""
    if ratio.ratio is None:
        return "no waiting before"
    if ratio.low is None or ratio.high is None:
        return f"{signed(ratio.ratio)} {NO_INTERVAL}"
    if ratio.ratio >= 2:
        return "×{} (×{} to ×{})".format(*map(multiple, (ratio.ratio, ratio.low, ratio.high)))
    return f"{signed(ratio.ratio)} ({signed(ratio.low, '')} to {signed(ratio.high, '')})"


def multiple(ratio: float) -> str:
    """Return a ratio as people read it: with one decimal below 100."""
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def effect_sentence(before: str, after: str, effect: Effect) -> str:
    """Return what a run does to the mean wait of the jobs that end in both, and to how many jobs."""
    ratio = effect.ratios["wait_h"]
    if effect.none:
        return f"{after} against {before}: {SAME}; the mean wait is {hours(ratio.after)}."
    if ratio.ratio is None:
        return f"{after} against {before}: no job waits in {before}; the mean wait in {after} is {hours(ratio.after)}."
    return (
        f"{after} against {before}: mean wait {change(ratio)}, {hours(ratio.after)} instead of {hours(ratio.before)}"
        f"{chance(ratio)}. "
        f"{100 * effect.shorter:.0f} % of {counted(effect.jobs, 'job')} wait less by a minute or more, "
        f"{100 * effect.longer:.0f} % longer."
    )


def chance(ratio: Ratio) -> str:
    """Return that a change may be chance, if its interval includes no change; else empty."""
    return "" if ratio.sure or ratio.low is None else ", which may be chance"


def signed(ratio: float, unit: str = " %") -> str:
    """Return a ratio as a change in percent with its sign."""
    percent = 100 * (ratio - 1)
    digits = 0 if abs(percent) >= 1 else 1
    return "0" + unit if abs(percent) < 0.05 else f"{percent:+.{digits}f}{unit}".replace("-", "−")


def grade_sentence(found: WhatIf) -> str:
    """Return what the simulation may be used for."""
    if found.validation is None:
        return f"Nothing shows whether this simulation describes your cluster: {found.untested}. Read differences with care."
    grade = found.validation.grade
    return f"{grade.licence}." if grade.letter else f"{grade.licence} ({grade.reason})."


def site_sentences(workload: Workload, pools: Pools) -> Iterator[str]:
    """Yield what the site does in every scenario: its pools, regimes, standstills, and queues with closed hours or credits."""
    steps = {step["step"]: step for step in workload.provenance.get("transformations", [])}
    if len(pools) > 1:
        yield (
            "Each pool of the machine has jobs and processors of its own and is simulated by itself; numbers are of all pools "
            "together. A machine of another size grows or shrinks in every pool by the same part."
        )
        machine = steps["pools"]["of"] if "pools" in steps else workload.machine.processors
        if workload.machine.processors > machine:
            yield (
                f"The pools have {workload.machine.processors:,} processors in all, more than the {machine:,} of the machine: "
                "some processors served several of them, and the simulation counts these twice."
            )
    if "regimes" in (step := steps.get("usable", {})):
        parts = regime_words(usable_named(step["regimes"]), workload, step["of"])
        yield f"In every scenario, {parts}. No policy foresees these changes."
    table = next(iter(pools.values())).companions.get("standstills")
    if table is not None and table.is_empty():
        yield "The log has no standstills of the length asked for."
    elif table is not None:
        length_h = float((table["end_us"] - table["begin_us"]).sum()) / HOUR_US
        yield (
            f"The log has {counted(table.height, 'standstill')}, {length_h:,.0f} h in all: periods without a recorded start, "
            "although a waiting job would have fitted. No job starts in them in any scenario. They are read from the log: what "
            "they explain is observed, not predicted."
        )
    if "close" in steps:
        yield f"In every scenario, {closing_words(steps['close']['hours'], clause=True)}."
    closed = steps.get("closed_hours", {}).get("hours")
    if closed:
        yield (
            f"Closed hours: {closing_words(closed, clause=True)}. In these hours the log records almost no such start although "
            "jobs wait. No such job starts in them in any scenario. They are learned from odd weeks of the log."
        )
    elif closed is not None:
        yield "The log shows no closed hours."
    for queue, credit_h in steps.get("queue_credit", {}).get("hours", {}).items():
        yield f"Jobs of queue {queue} are credited with {credit_h:,g} h of waiting in the order of submission."


def rule_sentences(policy: str) -> Iterator[str]:
    """Yield the ceilings that the baseline has for each user, and its fair share."""
    for ceiling in dict.fromkeys(words for one in policy.split(BETWEEN) for words in ceiling_words(one)):
        yield (
            f"The baseline allows {ceiling}. A user's further jobs are passed over until there is room, and hold up nobody. "
            "Another policy has this ceiling only if its name says so."
        )
    for share in dict.fromkeys(words for one in policy.split(BETWEEN) for words in fair_share_words(one)):
        yield (
            f"The baseline has {share}: jobs of users who have used much lately count as submitted later. Another policy has "
            "this order only if its name says so."
        )


def answer_sentences(found: WhatIf) -> Iterator[str]:
    """Yield the answer: which change, how much, for whom, how sure; or that the data cannot tell."""
    best, base = found.answer, found.baseline
    if found.validation is not None and found.validation.grade.letter == "C":
        yield (
            "The data cannot tell which policy would serve this cluster better. Find a baseline that repeats what it did with "
            "`slotwise fit`."
        )
        return
    if found.confirmed is not None:
        yield from tuned_sentences(found)
        yield from user_sentences(found.confirmed, under="Under it, ")
    if len(found.policies) == 1 and found.confirmed is None:
        yield one_policy_sentence(found.policies[0], base.label)
    elif best is not None:
        ratio = best.effect.ratios["wait_h"]
        yield (
            f"Of the policies tried, {best.label} gives the shortest mean wait: {change(ratio)}, {hours(ratio.after)} instead of "
            f"{hours(ratio.before)} under {base.label}."
        )
    elif found.policies:
        named = "policies tried" if found.confirmed is None else "other policies tried"
        told = any(one.effect.ratios["wait_h"].low is not None for one in found.policies)
        none = f"None of the {named} reliably shortens it." if told else f"{TOO_FEW} one of the {named} shortens it."
        if all(one.effect.none for one in found.policies):
            none = f"Under the {named} {SAME}."
        yield f"Under {base.label} the simulated mean wait is {hours(base.mean_wait_h)}. {none}"
    if best is not None and found.confirmed is None:
        yield from who_sentences(best)
    yield from other_sentences(found)


def one_policy_sentence(result: Result, baseline: str) -> str:
    """Return what the only policy that was tried does to the mean wait."""
    ratio = result.effect.ratios["wait_h"]
    if result.effect.none:
        return f"Under {result.label} the mean wait is {hours(ratio.after)}, as under {baseline}: {SAME}."
    waits = f"{hours(ratio.after)} instead of {hours(ratio.before)} under {baseline}"
    if ratio.sure or ratio.low is None:
        return f"Under {result.label} the mean wait is {waits}: {change(ratio)}."
    return f"Under {result.label} the mean wait {UNCLEAR}: {waits}, {change(ratio)}."


def tuned_sentences(found: WhatIf) -> Iterator[str]:
    """Yield what tuning found on odd weeks, and whether even weeks confirm it."""
    tuned, base = found.tuned, found.baseline.label
    if tuned is None:
        return
    metric = tuned.metric.replace("_", " ")
    if not tuned.tried:
        yield "Tuning needs jobs in odd and in even weeks; this log has too few weeks."
        return
    if tuned.setting is None:
        yield f"Of {tuned.tried} settings tried, none has a lower {metric} than {base} on odd weeks, so nothing helps."
        return
    ratio = tuned.even[tuned.metric]
    shown = hours if tuned.metric == "mean_wait" else "{:.1f}".format
    change_found = f"{metric} {change(ratio)}, {shown(ratio.after)} instead of {shown(ratio.before)} under {base}"
    best = f"Of {tuned.tried} settings tried, {tuned.setting.label} has the lowest {metric} on odd weeks."
    if tuned.sure:
        yield f"{best} On even weeks, which the search did not see, it keeps its lead: {change_found}."
    elif ratio.low is None:
        yield f"{best} There are too few even weeks to confirm it: {change_found}."
    elif ratio.sure:
        yield f"{best} Even weeks contradict it: {change_found}."
    else:
        yield f"{best} Even weeks do not confirm it, so the gain may be chance: {change_found}."


def other_sentences(found: WhatIf) -> Iterator[str]:
    """Yield what every change of machine, load or estimates does to the mean wait."""
    for one in found.results:
        if one not in found.policies:
            ratio = one.effect.ratios["wait_h"]
            changes = " and ".join(one.scenario.changes(found.baseline.scenario))
            told = SAME if one.effect.none else f"{change(ratio)}{chance(ratio)}"
            yield f"With {changes} the mean wait is {hours(ratio.after)}: {told}."
            yield from unrun_sentences(one, found.baseline)


def unrun_sentences(result: Result, baseline: Simulated) -> Iterator[str]:
    """Yield how many jobs run in the baseline and never in a scenario, such as those wider than a smaller machine."""
    if result.jobs < baseline.jobs:
        wide = " because they are wider than this machine" if result.processors < baseline.processors else ""
        never = f"{baseline.jobs - result.jobs:,} of {counted(baseline.jobs, 'job')} never run{wide}"
        yield f"{never}; the change is that of the others."


def shown_sentence(found: WhatIf) -> str:
    """Return why the page looks at a change closely, and what this does to the mean wait; empty for the answer itself."""
    if found.confirmed is not None:
        return "Odd weeks chose these options. What follows is of all weeks, so it may flatter them a little."
    if found.answer is not None:
        return ""
    if found.shown.effect.none:
        return f"{capitalised(SAME)} under {found.shown.label}."
    tried, ratio = found.policies or found.results, found.shown.effect.ratios["wait_h"]
    kind = "policies" if found.policies else "scenarios"
    shortest = f"Of the {kind} tried, {found.shown.label} has the shortest mean wait" if len(tried) > 1 else "Mean wait"
    return f"{shortest}: {change(ratio)}{chance(ratio)}."


def who_sentences(result: Result) -> Iterator[str]:
    """Yield how many users gain and lose, and what happens to slowdowns."""
    yield from user_sentences(result)
    yield f"Mean bounded slowdown (10 s): {change(result.effect.ratios['slowdown'])}."


def user_sentences(result: Result, under: str = "") -> Iterator[str]:
    """Yield how many users gain and lose, if the log has users."""
    if "user" in result.effect.groups:
        told = winners_words(*result.effect.winners("user"))
        yield f"{under}{told}." if under else f"{capitalised(told)}."


def winners_words(shorter: int, longer: int, users: int) -> str:
    """Return how many of some users wait less, and how many longer."""
    for number, than in ((shorter, "less"), (longer, "longer")):
        if number == users > 1:
            return f"all {users:,} users wait {than} on average"
    same = users - shorter - longer
    wait, waits = ("waits" if count == 1 else "wait" for count in (shorter, longer))
    return (
        f"{shorter:,} of {counted(users, 'user')} {wait} less on average, {longer:,} {waits} longer"
        f"{f', {same:,} as long as before' if same else ''}"
    )


def scenario_sentences(found: WhatIf, result: Result) -> Iterator[str]:
    """Yield what a scenario changes, what it does to mean waits, bounded slowdowns and closed queues, and which users gain."""
    base = found.baseline
    changes = differences(result.scenario, base.scenario, result.processors, base.processors)
    yield f"{capitalised('; '.join(changes))}."
    means = (result.effect.ratios[name] for name in ("wait_h", "slowdown"))
    yield f"{capitalised(SAME)}." if result.effect.none else means_sentence(*means)
    yield from unrun_sentences(result, base)
    yield from closed_sentences(result, base.scenario)
    yield from user_sentences(result)


def closed_sentences(result: Result, baseline: Scenario) -> Iterator[str]:
    """Yield how long the jobs of each queue wait whose hours a scenario changes, if groups go by the log's numbers."""
    groups = result.effect.groups.get("queue")
    if groups is None:
        return
    for whom in sorted({whom for whom, _ in {*result.scenario.closing} ^ {*baseline.closing}}):
        for row in groups.filter(pl.col("queue").cast(pl.String) == whom).to_dicts():
            yield f"Jobs of queue {whom} wait {hours(row['after_h'])} instead of {hours(row['before_h'])} on average."


def means_sentence(wait: Ratio, slowdown: Ratio) -> str:
    """Return in which direction the mean wait and the mean bounded slowdown move, and by how much."""
    (moves, by), (also, by_also) = moved(wait), moved(slowdown)
    if moves == also == UNCLEAR:
        return f"Neither the mean wait {by} nor the mean bounded slowdown {by_also} clearly changes."
    again = "" if moves == also else f"{also} "
    return f"The mean wait {moves} {by}, and the mean bounded slowdown {again}{by_also}."


def moved(ratio: Ratio) -> tuple[str, str]:
    """Return how a mean moves and by how much: ``falls``, ``by 12 % (95 % CI 9 to 15)``; no direction where it may be chance."""
    if ratio.ratio is None:
        return "is", f"{hours(ratio.after)} instead of 0" if ratio.after else "0, as in the baseline"
    if ratio.low is None or ratio.high is None:
        return "changes", f"by {change(ratio)}"
    if not ratio.sure:
        return UNCLEAR, f"({change(ratio).replace(' (', ', ', 1)}"
    if ratio.ratio >= 2:
        return "rises", "{}-fold (95 % CI {} to {})".format(*map(multiple, (ratio.ratio, ratio.low, ratio.high)))
    by, low, high = (
        signed(1 + part, "").lstrip("+")
        for part in (abs(ratio.ratio - 1), *sorted(abs(end - 1) for end in (ratio.low, ratio.high)))
    )
    return "falls" if ratio.ratio < 1 else "rises", f"by {by} % (95 % CI {low} to {high})"


def growth_sentences(found: WhatIf) -> Iterator[str]:
    """Yield which growth doubles the mean wait under each policy, and how many processors carry a fifth more work."""
    base, today = found.baseline, found.baseline.mean_wait_h
    if found.validation is not None and found.validation.grade.letter == "C":
        yield "Do not plan by these numbers: the simulation does not repeat the recorded waits."
    for label in dict.fromkeys(one.label for one in found.growth):
        points = sorted(
            {
                (one.load, one.mean_wait_h)
                for one in found.growth
                if one.label == label and one.processors == base.scenario.processors
            }
        )
        doubled = crossing(points, 2 * today)
        if doubled is not None:
            yield f"Under {label}, the mean wait is twice that of today ({hours(2 * today)}) at about {signed(doubled)} load."
        elif points and points[0][1] > 2 * today:
            yield f"Under {label}, the mean wait is more than twice that of today at every load tried."
        else:
            yield f"Under {label}, the mean wait stays below twice that of today at every load tried."
    sizes = sorted(
        {
            (one.processors, one.mean_wait_h)
            for one in found.growth
            if one.load == MORE_WORK and one.policy == base.scenario.policy
        }
    )
    needed = crossing(sizes, today)
    more = signed(MORE_WORK)
    if needed is None:
        yield f"No machine size tried keeps today's mean wait at {more} load."
    else:
        processors = math.ceil(100 * (needed - 1) - 1e-9)
        yield f"At {more} load, about {processors:+d} % processors keep today's mean wait under {base.label}."


def bracket_sentences(found: WhatIf) -> Iterator[str]:
    """Yield what any scheduler could gain."""
    bracket = found.bracket
    pools = f" in {len(found.pools)} pools" if len(found.pools) > 1 else ""
    yield (
        f"No schedule without preemption brings the mean wait of these jobs on {found.baseline.processors:,} processors{pools} "
        f"below {hours(bracket.least_wait_h)}; today's baseline is at {hours(bracket.today_wait_h)}."
    )
    if bracket.reached_wait_h < bracket.today_wait_h:
        yield (
            f"The best of several policies that knew all run times in advance, {bracket.reached_by}, reaches "
            f"{hours(bracket.reached_wait_h)}."
        )
    else:
        yield "None of several policies that knew all run times in advance does better than the baseline."
    if bracket.least_wait_h > 0:
        yield (
            f"So the best possible mean wait lies between {hours(bracket.least_wait_h)} and {hours(bracket.reached_wait_h)}, "
            f"a factor of {bracket.reached_wait_h / bracket.least_wait_h:.1f}."
        )
