"""Hyper-Erlang distributions of common order, fitted by matching three moments."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext

LARGEST_ORDER = 50
"""Largest order to try."""

DIGITS = 80
"""Decimal digits of the computation, so that its rounding does not affect the result."""


@dataclass(frozen=True, slots=True)
class HyperErlang:
    """The sum of ``order`` independent exponential variables, of rate ``lambda1`` with probability ``p``, else ``lambda2``.

    All variables of a sum have the same rate. ``moments_matched`` is the number of moments that the fit reproduces: 3, or 1 if
    no order reproduces three, in which case the distribution is exponential with the same mean.
    """

    p: float
    lambda1: float
    lambda2: float
    order: int
    moments_matched: int = 3

    @property
    def moments(self) -> tuple[float, float, float]:
        """The first three raw moments."""
        n = self.order
        rising = (n, n * (n + 1), n * (n + 1) * (n + 2))
        first, second, third = (
            factor * (self.p / self.lambda1**k + (1 - self.p) / self.lambda2**k) for k, factor in enumerate(rising, 1)
        )
        return first, second, third


def raw_moments(sample: Iterable[float]) -> tuple[float, float, float]:
    """Return the first three raw moments of a sample, each sum rounded once.

    Raise :class:`ValueError` when the sample is empty.
    """
    values = list(sample)
    if not values:
        raise ValueError("moments of an empty sample")
    first, second, third = (math.fsum(value**k for value in values) / len(values) for k in (1, 2, 3))
    return first, second, third


def fit_hyper_erlang(mean: float, second: float, third: float) -> HyperErlang:
    """Return the hyper-Erlang distribution of common order with three raw moments.

    The order is the smallest up to :data:`LARGEST_ORDER` that can reproduce them. At order n the branches' mean stages
    x1, x2 and the probability p of the first have the moments m1 = mu1 / n, m2 = mu2 / (n (n + 1)),
    m3 = mu3 / (n (n + 1) (n + 2)); that is possible when m2 > m1^2 and m1 m3 > m2^2, and then x1 and x2 are the roots of
    x^2 - c1 x + c0 with c1 = (m3 - m1 m2) / (m2 - m1^2) and c0 = (m1 m3 - m2^2) / (m2 - m1^2), and
    p = (m1 - x2) / (x1 - x2). The rarer branch is the first. If no order works, the result is the exponential distribution
    with the same mean.

    The moments are those of a nonnegative variable, in any unit of time. Raise :class:`ValueError` when the mean is not a number
    above 0, or a moment is not finite.
    """
    if not (mean > 0 and all(math.isfinite(moment) for moment in (mean, second, third))):
        raise ValueError(f"expected finite moments and a mean above 0; found {mean}, {second}, {third}")
    with localcontext() as context:
        context.prec = DIGITS
        mu1, mu2, mu3 = Decimal(mean), Decimal(second), Decimal(third)
        for n in range(1, LARGEST_ORDER + 1):
            m1, m2, m3 = mu1 / n, mu2 / (n * (n + 1)), mu3 / (n * (n + 1) * (n + 2))
            if m2 > m1 * m1 and m1 * m3 > m2 * m2:
                return branches(m1, m2, m3, n)
    return HyperErlang(1.0, 1 / mean, 1 / mean, 1, moments_matched=1)


def branches(m1: Decimal, m2: Decimal, m3: Decimal, order: int) -> HyperErlang:
    """Return the two branches whose mean stages have these moments, in the decimal context of the caller."""
    c1 = (m3 - m1 * m2) / (m2 - m1 * m1)
    c0 = (m1 * m3 - m2 * m2) / (m2 - m1 * m1)
    long = (c1 + (c1 * c1 - 4 * c0).sqrt()) / 2
    short = c0 / long
    p = (m1 - short) / (long - short)  # of the longer branch
    if p > 1 - p:
        return HyperErlang(float(1 - p), float(1 / short), float(1 / long), order)
    return HyperErlang(float(p), float(1 / long), float(1 / short), order)
