"""A what-if as a study: the same jobs, policies and changes, for the pipeline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.parameters import parse_call
from scheduler_core.declarations.policy import own_call
from slotwise.planning.changes import processors_of
from slotwise.planning.pools import Pools, policies_in
from slotwise.planning.scenarios import Scenario, title_of_policy
from traces.shape.regimes import usable_named

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

MINIATURE = 500
"""Jobs that the scale ``quick`` keeps; a queue with a credit may have none among so few."""

WHOLE = "log"
"""The id of the workload of a machine that is one pool."""

MOST_SENTENCES = 4
"""The most sentences of a study's answer."""


def study_text(
    name: str,
    log: str,
    pools: Pools,
    keys: Mapping[str, Mapping[str, Any]],
    scenarios: Sequence[Scenario],
    command: str,
) -> str:
    """Return the ``study.yaml`` of a what-if (config/README.md explains its keys).

    Parameters
    ----------
    name
        The id of the study, which is the name of its folder.
    log
        What the report calls the log.
    pools, keys
        The jobs of each pool as they are today, and the keys of the workload that has them.
    scenarios
        The baseline, then what is tried.
    command
        The command that wrote the study.
    """
    import yaml

    base = scenarios[0]
    policies = [policy for one in scenarios for policy in policies_in(one.policy, len(pools))]
    ids = {one: as_id(Path(one).name if own_call(one) else one) for one in dict.fromkeys(policies)}
    found = {
        key: entry
        for place, (pool, jobs) in enumerate(pools.items())
        for key, entry in workloads(log, pool, jobs, keys[pool], in_pool(scenarios, place, len(pools)), ids).items()
    }
    today = [as_id(pool) or WHOLE for pool in pools]
    alike = base.policy in ids  # else each pool has a baseline of its own, and there is none of the study
    written = {
        "study": name,
        "title": f"What if: {log}",
        "question": f"What would change for the jobs of {log}?",
        "seed": 1,
        "versus": ids[base.policy] if alike else "",
        "answer": [answer(policy, base.policy, ids, today) for policy in tried(scenarios) if alike],
        "workloads": found,
        "policies": {key: policy_keys(policy) for policy, key in ids.items()},
    }
    given = {key: value for key, value in written.items() if value}
    text = yaml.safe_dump(given, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return f"# Written by: {command}\n{differences(next(iter(keys.values())), scenarios)}{text}"


def tried(scenarios: Sequence[Scenario]) -> list[str]:
    """Return the policies that are tried on the jobs as they are, as many as an answer has sentences for."""
    base = scenarios[0]
    return [one.policy for one in scenarios[1:] if unchanged(one, base) == unchanged(base, base)][:MOST_SENTENCES]


def unchanged(scenario: Scenario, base: Scenario) -> Scenario:
    """Return what a scenario changes beside the policy."""
    return replace(scenario, policy=base.policy)


def answer(policy: str, baseline: str, ids: Mapping[str, str], workloads: Sequence[str]) -> dict[str, Any]:
    """Return a sentence on the page of the study: whether a policy shortens the mean wait."""
    title, than = title_of_policy(policy), title_of_policy(baseline)
    say = {
        "reproduced": f"{title} shortens the mean wait to {{value}} times that of {than} ({{interval}}).",
        "otherwise": f"{title} does not clearly shorten the mean wait: it is {{value}} times that of {than} ({{interval}}).",
    }
    if len(workloads) > 1:
        say = {"otherwise": f"{title} clearly shortens the mean wait of {than} in {{k}} of {{n}} pools."}
    return {
        "against": [[ids[policy], ids[baseline]]],
        "with": {"workloads": list(workloads), "metrics": ["mean_wait"], "per": "unit"},
        "expect": {"all": {"below": 1}},
        "say": say,
    }


def in_pool(scenarios: Sequence[Scenario], place: int, pools: int) -> list[Scenario]:
    """Return what is tried in one of some pools."""
    return [replace(one, policy=policies_in(one.policy, pools)[place]) for one in scenarios]


def workloads(
    log: str, pool: str, jobs: Workload, keys: Mapping[str, Any], scenarios: Sequence[Scenario], ids: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the workloads of a pool by id: its jobs as they are, and one for each change of machine, load or estimates."""
    base = scenarios[0]
    policies: dict[Scenario, list[str]] = {}
    for one in scenarios:
        policies.setdefault(unchanged(one, base), [ids[base.policy]]).append(ids[one.policy])
    few = {} if "queue_credit_h" in keys else {"first": min(keys.get("first", MINIATURE), MINIATURE)}
    found = {}
    for change, names in policies.items():
        words = ", ".join(change.changes(base))
        found["-".join(filter(None, (as_id(pool) or WHOLE, as_id(words))))] = {
            **changed_keys(keys, jobs, change),
            "label": ", ".join(filter(None, (log, pool, words))),
            "policies": list(dict.fromkeys(names)),
            **({"quick": dict(few)} if few else {}),
        }
    return found


def changed_keys(keys: Mapping[str, Any], jobs: Workload, change: Scenario) -> dict[str, Any]:
    """Return the keys of a workload under a change of machine, load or estimates."""
    made, today = deepcopy(dict(keys)), jobs.machine.processors
    size = processors_of(change.processors, today)
    if change.processors != 1:
        part = usable_named(str(made.pop("usable", size)))
        made |= {"usable": str(part.plus(size - today))} if part.changes else {}
        made["processors"] = size
    if change.load != 1:
        made["load"] = change.load * jobs.offered_load * today / size
    if change.estimates is not None:
        values = change.estimates.values()
        made["estimates"] = {"model": change.estimates.name, **values} if values else change.estimates.name
    if change.closing:
        made["close"] = dict(change.closing)
    return made


def policy_keys(policy: str) -> dict[str, Any]:
    """Return a policy as a study writes it."""
    values: dict[str, Any] = {}
    if own := own_call(policy):
        word, values = own
        file, _, function = word.rpartition(":")
        return {
            "uses": f"{Path(file).resolve()}:{function}",
            **({"label": title_of_policy(policy), **values} if values else {}),
        }
    label = title_of_policy(policy)
    if "(" in policy:
        policy, values = parse_call(policy)
    return {"uses": policy, "label": label, **values}


def as_id(words: str) -> str:
    """Return words as an id of small letters and digits."""
    return re.sub(r"[^a-z0-9_]+", "-", words.lower()).strip("-_")


def differences(keys: Mapping[str, Any], scenarios: Sequence[Scenario]) -> str:
    """Return, as comments, where a study differs from the page of a what-if; empty if it does not."""
    if all(one.processors == 1 for one in scenarios):
        return ""
    lines = []
    if "usable" in keys:
        lines.append("# On machines of another size jobs are narrowed to other usable processors, or not at all.")
    if "standstills_h" in keys:
        lines.append("# On machines of another size the standstills are those of a machine of that size.")
    return "".join(f"{line}\n" for line in lines)
