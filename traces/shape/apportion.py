"""Turning shares of jobs into numbers of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def apportion(shares: Sequence[float] | np.ndarray, jobs: int) -> np.ndarray:
    """Return shares as whole numbers that add up to ``jobs``, by largest remainders; ties go to the first."""
    import numpy as np

    exact = np.asarray(shares, np.float64) * jobs
    whole = np.floor(exact).astype(np.int64)
    largest = np.argsort(whole - exact, kind="stable")[: jobs - int(whole.sum())]
    whole[largest] += 1
    return whole
