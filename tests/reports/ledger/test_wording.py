"""What the ledger says in words."""

from __future__ import annotations

from reports.ledger.verdicts import Judged, Verdict
from reports.ledger.wording import said

SAY = {"reproduced": "It gains.", "otherwise": "It does not gain."}


def test_a_text_for_other_verdicts_says_nothing_of_what_cannot_be_tested() -> None:
    assert said(SAY, Verdict("not reproduced"), "") == "It does not gain."
    assert said(SAY, Verdict("cannot tell"), "") == "It does not gain."
    assert said(SAY, Verdict("not testable"), "", "New gains") == "New gains: not testable here."
    assert said({**SAY, "not testable": "Lost."}, Verdict("not testable"), "", "New gains") == "Lost."


def test_a_value_without_an_interval_says_so() -> None:
    text = {"otherwise": "It gains {value} times ({interval})."}
    known, alone = (Judged("a", 1.5, *ends, None, "cannot tell") for ends in ((1.25, 2.0), (None, None)))
    assert said(text, Verdict("cannot tell", [known]), "") == "It gains 1.5 times (1.25 to 2)."
    assert said(text, Verdict("cannot tell", [alone]), "") == "It gains 1.5 times (no interval)."
