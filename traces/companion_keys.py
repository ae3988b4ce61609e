"""The keys of a workload that add companion tables to its jobs, in a study or on the command line.

Reading them imports nothing heavy.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Self

from pydantic import model_validator

from scheduler_core.declarations.written import Written, complaint, key
from traces.shape.applications import Applications
from traces.shape.behaviour import LomarcBehaviour
from traces.shape.programs import Programs
from traces.shape.slowdowns import SlowdownTable
from traces.shape.workflow_jobs import Workflows
from traces.written_values import APPLICATIONS, BEHAVIOUR, PROGRAMS, SLOWDOWNS, WORKFLOWS

NOT_BESIDE_WORKFLOWS = ("behaviour", "flexibility", "slowdowns", "applications", "programs")
"""Keys that give jobs what tasks of workflows do not have."""


class Companions(Written):
    """What a definition adds to jobs in companion tables."""

    behaviour: Annotated[LomarcBehaviour | None, BEHAVIOUR] = key(
        "`lomarc`, or `{model: lomarc, mixture: M2, by: executable}`: what jobs do with their time and how much memory they "
        "need, drawn for each job, or once for each `executable` or `user` of a log",
        None,
        otherwise="none; policies of coscheduling need it",
    )
    slowdowns: Annotated[SlowdownTable | None, SLOWDOWNS] = key(
        "measured slowdowns of jobs that share processors, used with `behaviour`: `huang_2004`, or `{table: huang_2004, by: "
        "executable}`, which draws an application for each job (or executable, or user); or your own table, `{file: "
        "path.csv, by: class}`. Policies with `slowdown: table` use it",
        None,
        otherwise="none",
    )
    applications: Annotated[Applications | None, APPLICATIONS] = key(
        "`IO/Msg`, or `{mix: IO/Msg, chapter: 6, spread: constant}`: what the tasks of each job do inside a time slice, "
        "see below",
        None,
        otherwise="none; policies of Concurrent Gang need it",
    )
    programs: Annotated[Programs | None, PROGRAMS] = key(
        "path of a CSV that writes out the tasks of some jobs, statement by statement, see below",
        None,
        otherwise="none",
    )
    workflows: Annotated[Workflows | None, WORKFLOWS] = key(
        "`{share: 0.26}`: jobs become workflows, see below", None, otherwise="none"
    )

    @property
    def own_companions(self) -> tuple[str, ...]:
        """The companion tables that its source has."""
        return ()

    @cached_property
    def companions(self) -> list[str]:
        """The companion tables of its workload, known without making it."""
        given = [
            name for name in ("behaviour", "slowdowns", "applications", "programs") if getattr(self, name) is not None
        ]
        if "programs" in given and "applications" not in given:
            given.insert(given.index("programs"), "applications")
        return list(dict.fromkeys([*self.own_companions, *given, *(self.workflows.tables if self.workflows else ())]))

    @model_validator(mode="after")
    def _check_workflows(self) -> Self:
        for name in NOT_BESIDE_WORKFLOWS:
            if self.workflows is not None and getattr(self, name, None) is not None:
                raise complaint(f"tasks of workflows have no {name}; leave one of the two out", "workflows")
        return self
