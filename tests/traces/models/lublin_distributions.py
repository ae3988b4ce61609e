"""What the Lublin-Feitelson model's distributions are in closed form, written from the paper and not from the kernel."""

import math

import numpy as np
from scipy import stats


def size_probabilities(stream, processors):
    """Probability of each size from 0 to ``processors``."""
    low, med, high, first = stream.u_low, stream.u_med, stream.u_high, stream.u_probability

    def below(x):
        """Distribution function of the two-stage uniform."""
        one = np.clip((x - low) / (med - low), 0, 1)
        two = np.clip((x - med) / (high - med), 0, 1)
        return first * one + (1 - first) * two

    probability = np.zeros(processors + 1)
    probability[1] = stream.serial_probability
    for power in range(int(math.log2(processors)) + 1):
        probability[2**power] += stream.power_of_two_probability * (below(power + 0.5) - below(power - 0.5))
    other = 1 - stream.serial_probability - stream.power_of_two_probability
    for size in range(1, processors + 1):
        probability[size] += other * (below(math.log2(size + 0.5)) - below(math.log2(size - 0.5)))
    return probability


def truncated_gamma(shape, scale, cap):
    """Distribution function of a gamma variable given that it is at most ``cap``."""
    gamma = stats.gamma(shape, scale=scale)
    return lambda x: gamma.cdf(np.minimum(x, cap)) / gamma.cdf(cap)


def runtime_below(stream, size):
    """Distribution function of the logarithm of a run time, given the size."""
    first = min(1.0, max(0.0, stream.pa * size + stream.pb))
    one, two = stats.gamma(stream.a1, scale=stream.b1), stats.gamma(stream.a2, scale=stream.b2)

    def mixture(x):
        return first * one.cdf(x) + (1 - first) * two.cdf(x)

    return lambda x: mixture(np.minimum(x, 12)) / mixture(12)


def mean_gap_s(shape, scale):
    """Mean of exp(g), g gamma distributed and at most 13, by integration."""
    gamma = stats.gamma(shape, scale=scale)
    x = np.linspace(0, 13, 1_000_001)
    return np.trapezoid(np.exp(x) * gamma.pdf(x), x) / gamma.cdf(13)


def daily_weights(shape, scale):
    """Weights of the half hours from midnight, mean 1, by walking the spec's loop."""
    gamma = stats.gamma(shape, scale=scale)
    weights = [0.0] * 48
    for i in range(11, 59):
        weights[(i - 1) % 48] = gamma.cdf(i + 0.5) - gamma.cdf(i - 0.5)
    mean = sum(weights) / 48
    return np.array([weight / mean for weight in weights])


def kolmogorov_distance(runtimes_s, below):
    """Largest distance between the distribution of whole-second run times and ``below`` (of the logarithm).

    A run time of k whole seconds stands for the drawn values in [k, k + 1).
    """
    counts = np.bincount(runtimes_s)
    found = np.cumsum(counts) / len(runtimes_s)
    expected = below(np.log(np.arange(len(counts)) + 1.0))
    return np.abs(found - expected).max()


def kolmogorov_limit(count, alpha):
    """Distance that ``count`` values exceed with probability ``alpha`` at most."""
    return math.sqrt(-math.log(alpha / 2) / (2 * count))
