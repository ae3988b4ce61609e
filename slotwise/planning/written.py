"""Policies as a command names them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.parameters import parse_call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.declarations.policy import Policy


def call(name: str, values: Mapping[str, Any]) -> str:
    """Return a policy's name with parameters, as in ``easy(user_jobs=2)``."""
    words = [f"{key}={json.dumps(value) if isinstance(value, str) else value}" for key, value in values.items()]
    return f"{name}({', '.join(words)})" if words else name


def written(policy: Policy) -> str:
    """Return a policy as the command line names it, with the parameters that are not at their defaults."""
    defaults = type(policy)().values()
    return call(policy.name, {name: value for name, value in policy.values().items() if value != defaults[name]})


def with_values(policy: str, values: Mapping[str, Any]) -> str:
    """Return a policy, as a command names it, with some parameters set; None takes a parameter away."""
    name, given = parse_call(policy) if "(" in policy else (policy, {})
    return call(name, {key: value for key, value in {**given, **values}.items() if value is not None})
