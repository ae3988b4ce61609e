"""The result of a check: for each rule how often it was applied and broken, with the first violations."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule applied to a schedule.

    ``checked`` counts what it was applied to (jobs, allocations, instants), ``violations`` what breaks it;
    ``examples`` describes the first violations.
    """

    rule: str
    checked: int
    violations: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of running the policy again on the workload, with its recorded parameters.

    ``compared`` names the tables and counters, ``differences`` has a sentence for each that differs. ``changed_since`` says how
    the code differs from the code that made the run.
    """

    compared: tuple[str, ...]
    differences: tuple[str, ...] = ()
    changed_since: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether every table and counter is the same, byte for byte."""
        return not self.differences

    def describe(self) -> str:
        """Return what the replay found, in words."""
        if self.same:
            lines = [f"replayed: the policy, run again, gives the same {', '.join(self.compared)}, byte for byte"]
        else:
            lines = [
                "replayed: the policy, run again, gives another schedule:",
                *(f"  {one}" for one in self.differences),
            ]
        return "\n".join([*lines, *(f"  the code has changed since the run: {one}" for one in self.changed_since)])


MEANING = "it is feasible and correctly accounted"
"""What "legal" says of a schedule."""


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """The findings of all rules of a family.

    ``allocations`` counts the allocations checked. ``unchecked`` lists what no rule of the family proves, so that nobody reads
    "legal" as "right". ``replay`` is set if the policy was run again.
    """

    family: str
    findings: tuple[Finding, ...]
    allocations: int
    schedule_digest: str
    unchecked: tuple[str, ...] = ()
    replay: Replay | None = None

    @property
    def legal(self) -> bool:
        """Whether every rule holds: the schedule is feasible and correctly accounted."""
        return not any(finding.violations for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """Return the content of ``certificate.json``."""
        rules = [
            {"rule": f.rule, "checked": f.checked, "violations": f.violations, "examples": list(f.examples)}
            for f in self.findings
        ]
        return {
            "legal": self.legal,
            "family": self.family,
            "allocations": self.allocations,
            "schedule_digest": self.schedule_digest,
            "rules": rules,
            "unchecked": list(self.unchecked),
            **({"replay": asdict(self.replay)} if self.replay else {}),
        }

    def describe(self) -> str:
        """Return the verdict in words: what was checked and what was not, or the first violations of each broken rule."""
        if self.legal:
            lines = [f"legal: {len(self.findings)} rules hold over {self.allocations:,} allocations; {MEANING}"]
            lines += [f"not checked: {'; '.join(self.unchecked)}"] if self.unchecked else []
        else:
            lines = ["illegal:", *describe_broken(self.findings)]
        return "\n".join([*lines, *([self.replay.describe()] if self.replay else [])])

    __str__ = __repr__ = describe


def describe_broken(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each broken rule, and one for each of its first violations."""
    for finding in findings:
        if finding.violations:
            yield f"  {finding.rule}: broken {finding.violations:,} times of {finding.checked:,}"
            yield from (f"    {example}" for example in finding.examples)
