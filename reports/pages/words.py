"""Words of pages: kinds of claims, and numbers with their nouns."""

from reports.draw.vocabulary import joined

KINDS = {
    "direction": "who is better, or which way something moves",
    "magnitude": "how much, against the number printed",
    "mechanism": "why it is so",
    "workload": "what the workloads are like",
    "identity": "holds by construction or by arithmetic",
    "expectation": "what the source expects, aims at or assumes",
}
"""Kinds of claims, and the subject of each."""

JUDGED = ("direction", "magnitude", "mechanism")
"""Kinds whose claims carry evidence for or against a source; pages count these."""

JUDGED_WORDS = joined(list(JUDGED))


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
