"""Policies of a study: each entry becomes a policy, once for each scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import SlotwiseError, nearest
from scheduler_core.common.sources import digest
from scheduler_core.declarations.policy import OWN_MODULES, Policy, family_of, get_policy, policy_named, policy_names
from workflow.checks import Place
from workflow.study_file import OVERRIDING_SCALES, PolicyEntry

NO_ENTRY = PolicyEntry()
"""The entry of a policy without keys."""


@dataclass(frozen=True, slots=True)
class StudyPolicy:
    """A policy of a study at one scale.

    ``uses`` is the name it is requested by: a policy's, a preset's, or ``FILE.py:NAME``, a policy of the user's own. ``label`` is
    its name in figures and tables. A ``reference`` is run and checked, and left out of figures.
    """

    uses: str
    label: str
    reference: bool
    policy: Policy

    def described(self) -> dict[str, Any]:
        """Return the policy as plain data, with its family and what is measured of its runs."""
        return {
            "label": self.label,
            "uses": self.uses,
            "name": self.policy.name,
            "parameters": self.policy.values(),
            "source": self.policy.source,
            "reference": self.reference,
            "family": family_of(type(self.policy)),
            "measures": list(self.policy.measures()),
        }

    def changed(self, label: str, changes: Mapping[str, Any]) -> StudyPolicy:
        """Return the policy with other parameters, for a reading: a reference that figures leave out."""
        made = type(self.policy).build({**self.policy.values(), **changes})
        return replace(self, label=label, reference=True, policy=made)


def read_policies(place: Place, entries: Mapping[str, PolicyEntry | None], scale: str) -> dict[str, StudyPolicy]:
    """Return the policies of a study at a scale, by id."""
    policies: dict[str, StudyPolicy] = {}
    labels: dict[str, str] = {}
    for identifier, entry in entries.items():
        where = place / identifier
        policy = read_policy(where, identifier, entry or NO_ENTRY, scale)
        other = labels.setdefault(policy.label, identifier)
        if other != identifier:
            raise (where / "label").wrong(f"duplicate: '{policy.label}' is also the label of '{other}'")
        policies[identifier] = policy
    return policies


def read_policy(place: Place, identifier: str, entry: PolicyEntry, scale: str = "full") -> StudyPolicy:
    """Return one policy of a study; parameters under the name of another scale apply there."""
    uses, names = entry.uses or identifier, policy_names()
    if ".py" in uses:
        word, label = own_word(place, uses)
    elif uses in names:
        word, label = uses, names[uses][2]
    else:
        hint = "" if entry.uses else " (name the policy this id stands for with 'uses')"
        raise (place / "uses").wrong(f"there is no policy '{uses}'{hint}; {nearest(uses, names)}")
    differing: dict[str, dict[str, Any]] = {name: getattr(entry, name) for name in OVERRIDING_SCALES}
    for other, parameters in differing.items():
        for name in parameters:
            if name in PolicyEntry.names():
                raise (place / other / name).wrong("is the same at every scale; only parameters may differ")
    different = differing.get(scale, {})
    try:
        # model_extra: the keys that are not PolicyEntry's own are the parameters
        policy = get_policy(word, **{**(entry.model_extra or {}), **different})
    except (SlotwiseError, TypeError) as error:
        parameters = entry.model_extra or different
        at = place / scale if different else place if parameters or word == uses else place / "uses"
        raise at.wrong(error) from error
    return StudyPolicy(uses, entry.label if entry.label is not None else label, entry.reference, policy)


def own_word(place: Place, uses: str) -> tuple[str, str]:
    """Return ``FILE.py:NAME`` of a policy of the user's own, and its name; its file is found from the study's folder."""
    file, _, function = uses.rpartition(":")
    if not (file.endswith(".py") and function.isidentifier()):
        raise (place / "uses").wrong(
            f"a policy of your own is FILE.py:NAME, a function or class of a file; found '{uses}'"
        )
    return f"{Path(place.path).parent / file}:{function}", function


def describe_policy(identifier: str, entry: StudyPolicy) -> dict[str, Any]:
    """Return a policy as a cell gives it to the process that runs it, without the parameters that its word implies.

    :func:`workflow.batches.batch_cells` adds the workload; together they are a :class:`scheduler_core.runs.cells.Cell`.
    :func:`~scheduler_core.runs.cells.run_cell` makes the policy again. Parameters of a policy of the user's own are its file, the
    name in it, and the file's digest, so an edit runs its cells again.
    """
    own = entry.policy.name in OWN_MODULES
    values, usual = entry.policy.values(), {} if own else usual_values(entry.uses)
    return {
        "policy": identifier,
        "uses": entry.policy.name if own else entry.uses,
        "parameters": {name: value for name, value in values.items() if own or value != usual[name]},
        "sources": sources_digest(type(entry.policy)),  # type: ignore[arg-type]  # a class has a hash
    }


@cache
def usual_values(word: str) -> dict[str, Any]:
    """Return the parameters that a policy has under its name or that of a preset."""
    kind, preset, _ = policy_named(word)
    return kind(**preset).values()


@cache
def sources_digest(kind: type[Policy]) -> str:
    """Return the digest of every module that the runs of a policy depend on."""
    return digest(kind.source_files())
