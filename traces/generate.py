"""Drawing a workload from a synthetic model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.units import unboxed
from traces.models import Draws, Model, get_model, jobs_to_draw

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from traces.written_values import Fit


def generate(
    model: str,
    jobs: int | None = None,
    *,
    seed: int,
    load: float | None = None,
    fit: Workload | Fit | Path | str | None = None,
    **parameters: Any,
) -> Workload:
    """Draw a workload from a model: ``generate("lublin", jobs=1000, seed=1, processors=128, load=0.8)``.

    Equal arguments give equal jobs, the same as ``slotwise generate`` draws.

    Raise :class:`ParameterError` for an unknown model or parameter, or a value out of its range. Raise :class:`LogError` when
    the log cannot be read.

    Parameters
    ----------
    model
        Name of the model, such as ``lublin``; :func:`traces.models.models` lists them.
    jobs
        Number of jobs; by default as many as the publication draws.
    seed
        Random seed, at least 0.
    load
        Offered load to scale the arrivals to; by default that of the model.
    fit
        For a model that is fitted to a log (``jann``): the log, its path or name, or a name with days of it
        (:class:`traces.written_values.Fit`).
    parameters
        Parameters of the model, such as ``processors``.
    """
    from traces.seeds import generator
    from traces.shape.load import check_load, scale_load

    jobs, seed, load = unboxed(jobs), unboxed(seed), unboxed(load)
    chosen = get_model(model, **parameters)
    count = jobs_to_draw(chosen, jobs)
    if load is not None:
        check_load(load)
    drawing: Draws = chosen if fit is None else fitted(chosen, fit)
    workload = drawing.generate(count, generator(seed, model, 0))
    return workload if load is None else scale_load(workload, load)


def fitted(model: Model, fit: Workload | Fit | Path | str) -> Draws:
    """Return a model fitted to a log, by numbers that ship with slotwise if there are any."""
    from traces.ingest import read_log
    from traces.shape.dates import between_dates
    from traces.written_values import Fit

    if isinstance(fit, (str, Path)):
        fit = Fit(str(fit), None)
    if not isinstance(fit, Fit):
        return model.fitted_to(fit)
    if (shipped := model.shipped_fit(*fit)) is not None:
        return shipped
    return model.fitted_to(between_dates(read_log(fit.log), fit.dates))
