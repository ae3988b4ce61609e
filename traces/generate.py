"""Drawing a workload from a synthetic model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from traces.models import get_model, jobs_to_draw

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


def generate(
    model: str,
    jobs: int | None = None,
    *,
    seed: int,
    load: float | None = None,
    fit: Workload | Path | str | None = None,
    **parameters: Any,
) -> Workload:
    """Draw a workload from a model: ``generate("lublin", jobs=1000, seed=1, processors=128, load=0.8)``.

    Equal arguments give equal jobs, the same as ``slotwise generate`` draws.

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
        For a model that is fitted to a log (``jann``): the log, or its path or name.
    parameters
        Parameters of the model, such as ``processors``.

    Raises
    ------
    ParameterError
        For an unknown model or parameter, or a value out of its range.
    LogError
        When the log cannot be read.
    """
    from traces.ingest import read_log
    from traces.seeds import generator
    from traces.shape.load import check_load, scale_load

    chosen = get_model(model, **parameters)
    count = jobs_to_draw(chosen, jobs)
    if load is not None:
        check_load(load)
    if fit is None:
        workload = chosen.generate(count, generator(seed, model, 0))
    else:
        log = read_log(fit) if isinstance(fit, (str, Path)) else fit
        workload = chosen.fitted_to(log).generate(count, generator(seed, model, 0))
    return workload if load is None else scale_load(workload, load)
