"""Words of pages: kinds of claims, numbers with their nouns, and texts with code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reports.draw.vocabulary import joined

if TYPE_CHECKING:
    import markupsafe

KINDS = {
    "direction": "who is better, or which way something moves",
    "magnitude": "how much, against what the source says",
    "mechanism": "why it is so",
    "workload": "what the workloads are like",
    "identity": "holds by construction or by arithmetic",
    "expectation": "what the source expects, aims at or assumes",
}
"""Kinds of claims, and the subject of each."""

JUDGED = ("direction", "magnitude", "mechanism")
"""Kinds whose claims carry evidence for or against a source; pages count these."""

JUDGED_WORDS = joined(list(JUDGED))


def coded(text: str) -> markupsafe.Markup:
    """Return a text as HTML, with what stands between backticks as code; a number and its % stay on one line."""
    import markupsafe

    text = re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", text)
    parts = text.replace("``", "`").split("`")
    whole = len(parts) % 2 == 1  # else a backtick has no partner
    return markupsafe.Markup("").join(
        markupsafe.Markup("<code>{}</code>").format(part) if place % 2 and whole else part
        for place, part in enumerate(parts if whole else [text])
    )
