"""The words for verdicts, which the ledger gives and every chart and page shows."""

REPRODUCED, IN_PART, NOT_REPRODUCED = "reproduced", "reproduced in part", "not reproduced"
CANNOT_TELL, NOT_TESTABLE = "cannot tell", "not testable"
VERDICTS = (REPRODUCED, IN_PART, NOT_REPRODUCED, CANNOT_TELL, NOT_TESTABLE)
"""The verdicts on a claim, in the order of their counts."""

NONE = "none"
"""Key of the text for a first value of 0, whatever the verdict: an amount that is 0 is none at all."""

OPPOSITES = {
    "less": "more",
    "more": "less",
    "better": "worse",
    "lower": "higher",
    "shorter": "longer",
    "shortens": "lengthens",
    "raises": "lowers",
    "lowers": "raises",
    "gain": "lose",
}
"""Words that say which way a value goes, each with the word for a value below 0."""
