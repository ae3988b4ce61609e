"""What a claim need not say, because it follows from its study or from its own ``change``."""

from collections.abc import Mapping
from typing import Any

from scheduler_core.common.errors import StudyError, nearest


def completed(claim: Mapping[str, Any], source: str | None, choices: Mapping[str, str]) -> dict[str, Any]:
    """Return a claim as written, with the keys that follow from the study and from its own ``change``.

    ``source`` is what it cites unless it says so, and ``choices`` are texts that it may name under ``fitted``, which then has one
    choice a line.
    """
    follows: dict[str, Any] = {"citation": source} if source else {}
    if "against" in claim and not claim.get("measure"):
        change = str(claim.get("change", "ratio"))
        follows["no_effect"] = 1 if change == "ratio" else 100 if change.endswith("% of") else 0
        follows["unit"] = "%" if "%" in change else "points" if change.startswith("points") else ""
    fitted = claim.get("fitted", "")
    if fitted and isinstance(fitted, str | list):
        listed = [str(one).strip() for one in (fitted if isinstance(fitted, list) else [fitted])]
        for one in listed:
            if " " not in one and one not in choices:
                raise StudyError(
                    f"fitted: there is no choice '{one}' under 'fitted' of the study; {nearest(one, choices)}"
                )
        follows["fitted"] = "\n".join(choices.get(one, one).strip() for one in listed)
        claim = {key: value for key, value in claim.items() if key != "fitted"}
    return follows | dict(claim)
