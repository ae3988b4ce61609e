"""The rules of coscheduling: jobs share processors, and each slows the others down."""

from __future__ import annotations

from scheduler_core.checker import common
from scheduler_core.checker.evidence import Evidence, Rule

EVIDENCE = Evidence

RULES: dict[str, Rule] = {
    "every job appears once": common.every_job_once,
    "what was asked is unchanged": common.asked_unchanged,
    "finished, killed and rejected jobs are the right ones": common.fate_is_right,
    "no job starts before its submission": common.not_before_submission,
    "start and finish agree with the allocations": common.start_and_finish_agree,
    "a rigid job keeps its size": common.size_is_kept,
    "work done is work asked": common.work_is_conserved,
}
"""The rules by the names under which certificates and the report know them."""
