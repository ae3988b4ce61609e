"""Arrays of records, which the states of event loops are made of.

Apart from :mod:`scheduler_core.kernel.tables`, so that machine code does not depend on the contract of the tables.
"""

from __future__ import annotations

import numpy as np


def records(count: int | tuple[int, ...], kind: np.dtype[np.void]) -> np.ndarray:
    """Make an array of records whose fields are attributes."""
    return np.zeros(count, kind).view(np.recarray)


def enlarged(array: np.ndarray, count: int) -> np.ndarray:
    """Return a copy with room for ``count`` entries."""
    larger = np.zeros((count, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger.view(type(array))
