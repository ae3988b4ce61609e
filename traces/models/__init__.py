"""Synthetic workload models: one per file, found by scanning this folder.

A model is a frozen dataclass of parameters, like a policy. Its docstring gives the method and its source. This package
and the models' own modules import nothing heavy, so that listing names and validating a study stay quick; the kernels
live in :mod:`traces.models.kernels`.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.declarations.parameters import Parameters

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np

    from scheduler_core.contracts import Workload

FOLDER = Path(__file__).parent


class Draws(Protocol):
    """Whatever draws jobs: a model, or one fitted to a log."""

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs; see :meth:`Model.generate`."""


@dataclass(frozen=True)
class Model(Parameters):
    """A workload model: draws any number of jobs for a machine.

    Class attributes
    ----------------
    name
        The word by which studies, the command line and Python know it.
    label
        How figures and tables call it.
    source
        The publication it follows.
    needs_log
        Whether it is fitted to a log before it draws (:meth:`fitted_to`).
    jobs_follow
        Whether the parameters alone say how many jobs there are.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    source: ClassVar[str]
    needs_log: ClassVar[bool] = False
    jobs_follow: ClassVar[bool] = False

    @property
    def published_jobs(self) -> int | None:
        """How many jobs the publication draws; None where it leaves that open, so that a study must say."""
        return None

    @property
    def companions(self) -> tuple[str, ...]:
        """Companion tables that its workloads have."""
        return ()

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs.

        Every number comes from ``generator``, in the order of the jobs: the first jobs of a longer workload drawn
        from an equal generator are the same, unless the model's docstring says otherwise.

        Raises
        ------
        ParameterError
            When ``jobs`` is not a whole number of at least 1.
        """
        raise NotImplementedError

    def fitted_to(self, log: Workload) -> Draws:
        """Return the model fitted to the jobs of a log, where it ``needs_log``.

        Raises
        ------
        ParameterError
            When the model is not fitted to logs, or the log has too few jobs for it.
        """
        raise ParameterError(f"{self.name} is not fitted to a log; leave 'fit' out")

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Say where the jobs come from: model, parameters, number of jobs, and the seed ``generator`` was made from."""
        sequence = getattr(generator.bit_generator, "seed_seq", None)
        seed = {
            "generator": type(generator.bit_generator).__name__,
            "entropy": plain(getattr(sequence, "entropy", None)),
            "spawn_key": plain(getattr(sequence, "spawn_key", None)),
        }
        return {
            "kind": "model",
            "source": self.name,
            "publication": self.source,
            "parameters": self.values(),
            "jobs": jobs,
            "seed": seed,
        }


def plain(value: Any) -> Any:
    """Turn a seed's numbers into what JSON can write: an int, a list of ints, or nothing."""
    if value is None:
        return None
    return [int(part) for part in value] if hasattr(value, "__iter__") else int(value)


def check_jobs(model: Model, jobs: int) -> None:
    """Raise :class:`ParameterError` when ``jobs`` cannot be a number of jobs."""
    if type(jobs) is not int or jobs < 1:
        raise ParameterError(f"{model.name}: jobs must be a whole number of at least 1; found {jobs!r}")
    if model.jobs_follow and jobs != model.published_jobs:
        raise ParameterError(
            f"{model.name}: with these parameters there are {model.published_jobs} jobs; found {jobs}. Leave jobs out"
        )


def jobs_to_draw(model: Model, jobs: int | None) -> int:
    """Return the number of jobs to draw: ``jobs``, or the publication's number where that is left out.

    Raises
    ------
    ParameterError
        When neither says one.
    """
    found = model.published_jobs if jobs is None else jobs
    if found is None:
        raise ParameterError(f"{model.name}: jobs is missing; a workload from this model says how many jobs to draw")
    return found


@cache
def models() -> dict[str, type[Model]]:
    """Find every model, by name.

    Raises
    ------
    ParameterError
        When two models carry the same name.
    """
    found: dict[str, type[Model]] = {}
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.ispkg:
            continue
        for kind in models_in(importlib.import_module(f"{__name__}.{module.name}")):
            if kind.name in found:
                other = found[kind.name].__module__
                raise ParameterError(f"two models are called '{kind.name}': {other} and {kind.__module__}")
            found[kind.name] = kind
    return dict(sorted(found.items()))


def models_in(module: ModuleType) -> list[type[Model]]:
    """List the models a module defines."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Model) and kind.__module__ == module.__name__
    ]


def get_model(name: str, /, **values: Any) -> Model:
    """Make a model from its name and parameters.

    Raises
    ------
    ParameterError
        When there is no such model or parameter, or a value is out of its range.
    """
    known = models()
    if name not in known:
        raise ParameterError(f"there is no model '{name}'; {nearest(name, known)}")
    return known[name].build(values)
