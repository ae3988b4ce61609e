"""Sets of processors as rows of 64-bit words, a bit per processor; a set of no words means that processors are only counted."""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry, kernel_step

ONE = np.uint64(1)
ZERO = np.uint64(0)


@kernel
def fill_with_all(mask: np.ndarray, processors: int) -> None:
    """Make the set that of all processors of the machine."""
    for word in range(mask.shape[0]):
        count = min(64, processors - 64 * word)
        mask[word] = ~ZERO if count == 64 else (ONE << np.uint64(count)) - ONE


@kernel_step
def take_lowest(free: np.ndarray, taken: np.ndarray, count: int) -> None:
    """Move the ``count`` lowest-numbered processors from ``free`` to ``taken``."""
    for word in range(free.shape[0]):
        while count > 0 and free[word] != ZERO:
            bit = free[word] & (~free[word] + ONE)
            free[word] ^= bit
            taken[word] |= bit
            count -= 1


@kernel_step
def give_highest(taken: np.ndarray, free: np.ndarray, count: int) -> None:
    """Move the ``count`` highest-numbered processors from ``taken`` back to ``free``."""
    for word in range(taken.shape[0] - 1, -1, -1):
        for place in range(63, -1, -1):
            bit = ONE << np.uint64(place)
            if count > 0 and taken[word] & bit:
                taken[word] ^= bit
                free[word] |= bit
                count -= 1


@kernel
def join(target: np.ndarray, others: np.ndarray) -> None:
    """Add the processors of ``others`` to ``target``."""
    for word in range(target.shape[0]):
        target[word] |= others[word]


@kernel
def leave(target: np.ndarray, others: np.ndarray) -> None:
    """Take the processors of ``others`` out of ``target``."""
    for word in range(target.shape[0]):
        target[word] &= ~others[word]


@kernel
def copy(target: np.ndarray, source: np.ndarray) -> None:
    """Make ``target`` equal to ``source``."""
    for word in range(target.shape[0]):
        target[word] = source[word]


@kernel
def equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two sets are the same."""
    for word in range(one.shape[0]):
        if one[word] != other[word]:
            return False
    return True


@kernel
def contains(larger: np.ndarray, smaller: np.ndarray) -> bool:
    """Return whether every processor of ``smaller`` is in ``larger``."""
    for word in range(larger.shape[0]):
        if smaller[word] & ~larger[word]:
            return False
    return True


@kernel
def are_none(mask: np.ndarray) -> bool:
    """Return whether there is no processor in the set."""
    for word in range(mask.shape[0]):
        if mask[word] != ZERO:
            return False
    return True


@kernel
def has(mask: np.ndarray, processor: int) -> bool:
    """Return whether a processor is in the set."""
    return (mask[processor >> 6] >> np.uint64(processor & 63)) & ONE != ZERO


@kernel
def count_outside(mask: np.ndarray, excluded: np.ndarray) -> int:
    """Count the processors of ``mask`` that are not in ``excluded``."""
    count = 0
    for word in range(mask.shape[0]):
        left = mask[word] & ~excluded[word]
        while left != ZERO:
            left &= left - ONE
            count += 1
    return count


@kernel_step
def take_lowest_outside(free: np.ndarray, excluded: np.ndarray, taken: np.ndarray, count: int) -> None:
    """Move the ``count`` lowest-numbered processors of ``free`` that are not in ``excluded`` to ``taken``."""
    for word in range(free.shape[0]):
        left = free[word] & ~excluded[word]
        while count > 0 and left != ZERO:
            bit = left & (~left + ONE)
            left ^= bit
            free[word] ^= bit
            taken[word] |= bit
            count -= 1


@kernel_entry
def list_members(masks: np.ndarray, members: np.ndarray) -> None:
    """Write the processors of every set (a row of ``masks``) to ``members``, ascending, one set after another."""
    count = 0
    for row in range(masks.shape[0]):
        for word in range(masks.shape[1]):
            left, processor = masks[row, word], 64 * word
            while left != ZERO:
                if left & ONE != ZERO:
                    members[count] = processor
                    count += 1
                left >>= ONE
                processor += 1
