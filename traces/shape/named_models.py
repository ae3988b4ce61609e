"""Finding a model of a step that shapes workloads by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.declarations.parameters import Parameters

Kind = TypeVar("Kind", bound=Parameters)


def model_named(kinds: Iterable[type[Kind]], what: str, name: str, values: Mapping[str, Any]) -> Kind:
    """Return the model of a name, one of some classes, with some parameters.

    Parameters
    ----------
    kinds
        The classes to choose from; each has a ``name``.
    what
        What they model, for the message.
    name, values
        The name and the parameters.

    Raises
    ------
    ParameterError
        When no class has the name, a parameter is unknown, or a value is out of its range.
    """
    known = {kind.name: kind for kind in kinds}  # type: ignore[attr-defined]
    if name not in known:
        raise ParameterError(f"there is no {what} model '{name}'; {nearest(name, known)}")
    return known[name].build(values)
