"""Synthetic workload models: one per file, found by scanning this folder.

A model is a frozen dataclass of parameters, like a policy. Its docstring gives the method and the source. This package and
the modules of models import nothing heavy, so listing models and validating a study stay quick; kernels are in
:mod:`traces.models.kernels`.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.declarations.parameters import Parameters, kinds_in

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload
    from traces.shape.dates import Dates

FOLDER = Path(__file__).parent


class Draws(Protocol):
    """Anything that draws jobs: a model, or a model fitted to a log."""

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs; see :meth:`Model.generate`."""


@dataclass(frozen=True)
class Model(Parameters):
    """A workload model, which draws any number of jobs for a machine."""

    name: ClassVar[str]
    """Its name in studies, on the command line and in Python."""

    label: ClassVar[str]
    """Its name in figures and tables."""

    source: ClassVar[str]
    """Its publication."""

    needs_log: ClassVar[bool] = False
    """Whether it must be fitted to a log before it draws (:meth:`fitted_to`)."""

    jobs_follow: ClassVar[bool] = False
    """Whether the parameters determine the number of jobs."""

    drawn: ClassVar[bool] = True
    """Whether any of it is drawn; otherwise the origin of its jobs names no seed."""

    @property
    def published_jobs(self) -> int | None:
        """Number of jobs in the publication; None if it does not say, so a study must."""
        return None

    @property
    def companions(self) -> tuple[str, ...]:
        """Companion tables of its workloads."""
        return ()

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return a workload of ``jobs`` jobs.

        Every random number comes from ``generator``, in order of the jobs. So the first jobs of a longer workload from an equal
        generator are the same, unless the docstring of the model says otherwise. Raise :class:`ParameterError` when ``jobs`` is
        not a whole number of at least 1.
        """
        raise NotImplementedError

    def fitted_to(self, log: Workload) -> Draws:
        """Return the model fitted to the jobs of a log, if it ``needs_log``.

        Raise :class:`ParameterError` when the model is not fitted to logs, or the log has too few jobs for it.
        """
        raise ParameterError(f"{self.name} is not fitted to a log; leave 'fit' out")

    def shipped_fit(self, log: str, dates: Dates | None) -> Draws | None:
        """Return the model fitted to a log of the catalogue (``dates``: to days of it) by numbers that ship with slotwise.

        None if no such numbers ship; then :meth:`fitted_to` needs the log.
        """
        return None

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Return the origin of the jobs: model, parameters, number of jobs, and the seed of ``generator``."""
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
            "seed": seed if self.drawn else None,
        }


def jobs_table(submit_us: Any, runtime_us: Any, size: Any, **more: pl.Series) -> pl.DataFrame:
    """Return jobs with exact estimates, numbered from 1 in this order; times in microseconds."""
    import polars as pl

    from scheduler_core.contracts import WORKLOAD_COLUMNS

    columns = {"submit_us": submit_us, "runtime_us": runtime_us, "estimate_us": runtime_us, "size": size, **more}
    table = pl.DataFrame(columns, schema_overrides=WORKLOAD_COLUMNS)
    return table.select(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("job"), pl.all())


def plain(value: Any) -> Any:
    """Return the numbers of a seed as JSON values: an int, a list of ints, or None."""
    if value is None:
        return None
    return [int(part) for part in value] if hasattr(value, "__iter__") else int(value)


def check_jobs(model: Model, jobs: int) -> None:
    """Raise :class:`ParameterError` unless the model can draw ``jobs`` jobs."""
    if type(jobs) is not int or jobs < 1:
        raise ParameterError(f"{model.name}: jobs must be a whole number of at least 1; found {jobs!r}")
    if model.jobs_follow and jobs != model.published_jobs:
        raise ParameterError(
            f"{model.name}: with these parameters there are {model.published_jobs} jobs; found {jobs}. Leave jobs out"
        )


def jobs_to_draw(model: Model, jobs: int | None) -> int:
    """Return the number of jobs to draw: ``jobs``, or by default the number in the publication.

    Raise :class:`ParameterError` when neither gives a number.
    """
    found = model.published_jobs if jobs is None else jobs
    if found is None:
        raise ParameterError(f"{model.name}: jobs is missing; a workload from this model says how many jobs to draw")
    return found


@cache
def models() -> dict[str, type[Model]]:
    """Return every model by name.

    Raise :class:`ParameterError` when two models have the same name.
    """
    found: dict[str, type[Model]] = {}
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.ispkg:
            continue
        for kind in kinds_in(importlib.import_module(f"{__name__}.{module.name}"), Model):
            if kind.name in found:
                other = found[kind.name].__module__
                raise ParameterError(f"two models are called '{kind.name}': {other} and {kind.__module__}")
            found[kind.name] = kind
    return dict(sorted(found.items()))


def get_model(name: str, /, **values: Any) -> Model:
    """Return the model of a name with some parameters.

    Raise :class:`ParameterError` when there is no such model or parameter, or a value is out of its range.
    """
    known = models()
    if name not in known:
        raise ParameterError(f"there is no model '{name}'; {nearest(name, known)}")
    return known[name].build(values)
