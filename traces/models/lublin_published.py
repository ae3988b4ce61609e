"""The published parameters of the Lublin-Feitelson model: three sets, fitted to the logs of SDSC, LANL and KTH.

They are those of the paper and of the authors' public program: one set for all jobs together, one for batch jobs and one
for interactive jobs.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """One published set. Gamma distributions are given by shape and scale; logarithms of sizes are to base 2.

    Attributes
    ----------
    serial_probability, power_of_two_probability
        Shares of all jobs that are serial, and that are parallel with a power of two.
    u_low, u_med, u_high, u_probability
        Two-stage uniform distribution of log2 of a parallel job's size, for the published machine of 128 processors.
    a1, b1, a2, b2, pa, pb
        Hyper-gamma distribution of the natural logarithm of the run time in seconds; the first gamma's probability is
        ``pa x size + pb``, at least 0 and at most 1.
    a_arrival, b_arrival
        Gamma distribution of the natural logarithm of the gap between arrivals, in seconds of a mean half hour.
    a_daily, b_daily
        Gamma distribution over the half hours of the day, from 11 half hours after midnight on.
    arrival_ratio
        ARAR, the arrive-rush-to-all ratio: the factor on ``a_arrival`` that makes it hold at all hours of the day.
    """

    serial_probability: float
    power_of_two_probability: float
    u_low: float
    u_med: float
    u_high: float
    u_probability: float
    a1: float
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    a_arrival: float
    b_arrival: float
    a_daily: float
    b_daily: float
    arrival_ratio: float


TABLE = {
    "serial_probability": (0.244, 0.2927, 0.1541),
    "power_of_two_probability": (0.576, 0.6686, 0.625),
    "u_low": (0.8, 1.2, 1.0),
    "u_med": (4.5, 5.0, 3.0),
    "u_high": (7.0, 7.0, 5.5),
    "u_probability": (0.86, 0.875, 0.705),
    "a1": (4.2, 6.57, 3.8351),
    "b1": (0.94, 0.823, 0.6605),
    "a2": (312.0, 639.1, 7.073),
    "b2": (0.03, 0.0156, 0.6856),
    "pa": (-0.0054, -0.003, -0.0118),
    "pb": (0.78, 0.6986, 0.9156),
    "a_arrival": (10.2303, 6.0415, 6.5510),
    "b_arrival": (0.4871, 0.8531, 0.6621),
    "a_daily": (8.1737, 6.1271, 8.9186),
    "b_daily": (3.9631, 5.2740, 3.6680),
    "arrival_ratio": (1.0225, 1.0519, 0.9797),
}
"""Each parameter for all jobs taken together, for batch jobs, and for interactive jobs, which have at most 45 processors."""

TYPELESS, BATCH, INTERACTIVE = (
    Published(**dict(zip(TABLE, column, strict=True))) for column in zip(*TABLE.values(), strict=True)
)

PUBLISHED_PROCESSORS = 128
"""Processors of the machine for which ``u_med`` and ``u_high`` are published."""

LEAST_DISTANCE = 1.5
"""The smallest distance of ``u_med`` below ``u_high`` in the publication, which allows 1.5 to 3.5."""

LONGEST_LOG_RUNTIME = 12.0
"""Natural logarithm of the longest run time in seconds (45.2 h); a longer one is drawn again."""

LONGEST_LOG_GAP = 13.0
"""Natural logarithm of the longest gap in seconds of a mean half hour (5.1 days); a longer one is drawn again."""

CYCLE_BEGIN = 11
"""The daily cycle's gamma distribution begins at this half hour (the publication's cyclic day start)."""

HALF_HOURS = 48
"""Half hours in a day."""
