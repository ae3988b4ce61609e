"""Finding a model of a step that shapes workloads by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.declarations.parameters import Parameters

Kind = TypeVar("Kind", bound=Parameters)


def model_named(models: Mapping[str, type[Kind]], what: str, name: str, values: Mapping[str, Any]) -> Kind:
    """Make a model from its name and parameters; ``what`` says in a message what it models.

    Raises
    ------
    ParameterError
        When there is no such model or parameter, or a value is out of its range.
    """
    if name not in models:
        raise ParameterError(f"there is no {what} model '{name}'; {nearest(name, models)}")
    return models[name].build(values)
