"""What the ledger says in words."""

from __future__ import annotations

from reports.ledger.verdicts import Verdict
from reports.ledger.wording import said

SAY = {"reproduced": "It gains.", "otherwise": "It does not gain."}


def test_a_text_for_other_verdicts_says_nothing_of_what_cannot_be_tested() -> None:
    assert said(SAY, Verdict("not reproduced"), "") == "It does not gain."
    assert said(SAY, Verdict("cannot tell"), "") == "It does not gain."
    assert said(SAY, Verdict("not testable"), "", "New gains") == "New gains: not testable here."
    assert said({**SAY, "not testable": "Lost."}, Verdict("not testable"), "", "New gains") == "Lost."
