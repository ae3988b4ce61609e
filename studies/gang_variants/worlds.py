"""Worlds of the study of variants of gang scheduling."""

LOWER = {
    "buddies-use-more": "gang-* < variant-dhc",
    "buddies-perform-better": "variant-dhc < gang-*",
    "alternative-scheduling-matters": "variant-dhc < variant-dhc-plain",
    "selective-disabling-matters": "variant-dhc-plain < variant-dhc-bare",
    "whole-machine-underused": "variant-simple < gang-first-fit by 60",
    "fixed-partitions-use-less": "variant-partitions < gang-first-fit",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
