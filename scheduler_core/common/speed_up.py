"""The speed-up of jobs that run on several sizes: the three-point curve of Huang 2004, section 6.6."""


def rate_on(processors: int, fewest: int, best: int, most: int) -> float:
    """Return the rate of a job on some processors, in multiples of that on its best size.

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
