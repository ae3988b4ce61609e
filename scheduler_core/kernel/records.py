"""Arrays of records, which the states of event loops are made of.

Apart from :mod:`scheduler_core.kernel.tables`, so that machine code does not depend on the contract of the tables.
"""

from typing import Any

import numpy as np


def records(count: int | tuple[int, ...], kind: np.dtype[np.void]) -> np.recarray:
    """Make an array of records whose fields are attributes."""
    return np.zeros(count, kind).view(np.recarray)


Record = Any
"""A record whose fields are attributes. A kernel takes it as one pointer, and what it assigns is seen outside, too."""


def record(kind: np.dtype[np.void]) -> Record:
    """Make one record whose fields are attributes."""
    return records(1, kind)[0]


def enlarged(array: np.ndarray, count: int) -> np.ndarray:
    """Return a copy with room for ``count`` entries."""
    larger = np.zeros((count, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger.view(type(array))
