"""What is drawn for a job of Concurrent Gang, by numbers alone."""

import itertools
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
PARTS = 4096
UNIT = 2**20


def mix(z: int) -> int:
    """Return another number that shows nothing of this one."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def draw(seed: int, stream: int, task: int, index: int) -> int:
    """Return the number of 64 bits at a place of a stream."""
    number = seed
    for place in (stream, task, index):
        number = mix((number + GOLDEN * (place + 1)) % WORD)
    return number


def one_of(count: int, number: int) -> int:
    """Return one of several, 0 and up, by a drawn number."""
    return ((number >> 32) * count) >> 32


@cache
def part_means() -> list[int]:
    """Return the means of the 4,096 equally probable parts of the exponential distribution of mean 1, in units of 2^-20.

    The part between the quantiles a and b has the mean ((a + 1) e^-a - (b + 1) e^-b) 4,096, and e^-a is what lies above a.
    """
    with localcontext() as context:
        context.prec = 50
        above = [Decimal(PARTS - part) / PARTS for part in range(PARTS)]
        tails = [(1 - share.ln()) * share for share in above] + [Decimal(0)]
        means = [(tail - next_tail) * PARTS * UNIT for tail, next_tail in itertools.pairwise(tails)]
        return [int(mean.quantize(Decimal(1), ROUND_HALF_UP)) for mean in means]


def length(mean: int, spread: str, number: int) -> int:
    """Return a length by a drawn number."""
    if spread == "constant":
        return mean
    return max(1, (mean * part_means()[number >> 52] + UNIT // 2) // UNIT)
