"""The speed-up of jobs that run on several sizes: the three-point curve of Huang 2004, and the models of Amdahl and Downey."""

HUANG, AMDAHL, DOWNEY = LAWS = ("huang", "amdahl", "downey")
"""The published curves, the default first."""

SOURCES = {
    AMDAHL: "Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS 1967",
    DOWNEY: "Downey, A model for speedup of parallel programs, University of California, Berkeley, CSD-97-933, 1997",
}
"""What to cite for a curve that a policy of the user's own names."""


def rate_on(processors: int, fewest: int, best: int, most: int) -> float:
    """Return the rate of a job on some processors by Huang's curve (section 6.6), in multiples of that on its best size.

    Its efficiency is 0.80 on its fewest processors, 0.65 on its best size and 0.50 on its most; its speed-up is linear between
    them. Engines compile this function.
    """
    if processors == best:
        return 1.0
    if processors < best:
        span = best - fewest
        speed = 80 * fewest * span + (65 * best - 80 * fewest) * (processors - fewest)
    else:
        span = most - best
        speed = 65 * best * span + (50 * most - 65 * best) * (processors - best)
    return speed / (65 * best * span)


def amdahl(processors: int, serial: float) -> float:
    """Return the speed-up of a job of which a share is sequential, over one processor.

    Source: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS 1967.
    """
    return processors / (1 + serial * (processors - 1))


def downey(processors: int, parallelism: float, variance: float) -> float:
    """Return the speed-up of a job over one processor, by its average parallelism, at least 1, and the variance of that.

    Source: Downey, A model for speedup of parallel programs, UC Berkeley CSD-97-933, 1997: his A and σ, which is close to the
    coefficient of variation of the parallelism.
    """
    n, a, v = processors, parallelism, variance
    if v <= 1:
        if n <= a:
            return a * n / (a + v * (n - 1) / 2)
        return a * n / (v * (a - 0.5) + n * (1 - v / 2)) if n < 2 * a - 1 else a
    return n * a * (v + 1) / (v * (n + a - 1) + a) if n < a + a * v - v else a
