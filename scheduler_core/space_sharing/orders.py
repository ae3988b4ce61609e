"""The orders of waiting jobs: one table, from which policies, engine and messages read.

An order that sorts by a fixed key is an entry here and nothing else. One that depends on the time of the pass has a code of
its own, and says in :func:`~scheduler_core.space_sharing.event_loop.put_in_order` how its keys are computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Key = Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Returns the keys of jobs, smallest first, from their estimates (microseconds) and their sizes (processors)."""

AS_SUBMITTED, BY_KEY, BY_SLOWDOWN, BY_LEVEL, BY_SHARE = CODES = range(5)
"""How the event loop keeps a queue: as the jobs come, sorted by fixed keys, or sorted anew in each pass."""


@dataclass(frozen=True)
class Order:
    """An order of waiting jobs; ties are broken by position."""

    code: int = BY_KEY  # how the event loop keeps a queue in this order: one of CODES
    key: Key | None = None  # the fixed keys of an order whose code is BY_KEY, and of no other
    choosable: bool = True  # whether policies offer the order as a value of their parameters

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ParameterError(f"an order has a code of the event loop, {CODES[0]} to {CODES[-1]}; found {self.code}")
        if (self.key is None) is (self.code == BY_KEY):
            raise ParameterError(f"an order has keys if its code is {BY_KEY} (fixed keys), and only then")

    def keys(self, estimate: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Return the fixed keys of jobs; raise :class:`ParameterError` unless they are int64, as compiled code expects."""
        keys = self.key(estimate, size) if self.key is not None else 0 * estimate
        if keys.dtype != "int64":
            raise ParameterError(f"the keys of an order must be int64; found {keys.dtype}: scale and round them")
        return keys


ORDERS: dict[str, Order] = {
    "fcfs": Order(AS_SUBMITTED),
    "shortest": Order(key=lambda estimate, size: estimate.astype("int64")),
    "longest": Order(key=lambda estimate, size: -estimate),
    "smallest": Order(key=lambda estimate, size: size.astype("int64")),
    "largest": Order(key=lambda estimate, size: -size.astype("int64")),
    "largest_area": Order(key=lambda estimate, size: -(estimate * size.astype("int64"))),
    "largest_slowdown": Order(BY_SLOWDOWN),
    "fair_share": Order(BY_SHARE),
    "priority": Order(BY_LEVEL, choosable=False),
}
"""Every order by name. What is not here cannot be asked for."""


def order_named(name: str) -> Order:
    """Return the order of a name; raise :class:`ParameterError` when there is none."""
    if name not in ORDERS:
        raise ParameterError(f"there is no order '{name}' of waiting jobs; {nearest(name, ORDERS)}")
    return ORDERS[name]


def choices(default: str) -> tuple[str, ...]:
    """List the orders that a parameter offers, its default first (a word of the parameter's own, or an order)."""
    return (default, *(name for name, order in ORDERS.items() if order.choosable and name != default))
