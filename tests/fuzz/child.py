"""The process of one input: make it in the current folder, run it, and say whether its exit code is right."""

import resource
import sys
from pathlib import Path

from scheduler_core.common.errors import SlotwiseError
from slotwise.cli.main import main
from tests.fuzz.inputs import described, hostile

ADDRESS_SPACE = 8 * 10**9
"""Bytes that an input may take."""


def plan(folder: str) -> int:
    """Read and plan the study in a folder, and try its SQL."""
    from reports.ledger.prepare import try_measures
    from workflow.plan import describe_study
    from workflow.studies import read_study

    try:
        study = read_study(Path(folder) / "study.yaml", "quick")
        try_measures([describe_study(study)])
    except SlotwiseError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE,) * 2)
found = hostile(int(sys.argv[1]), Path(sys.argv[2]))
print(found.kind)
print(described(found), flush=True)
try:
    code = plan(found.words[1]) if found.words[0] == "plan" else main(found.words)
except SystemExit as ended:  # of the parser of the command line
    code = int(ended.code or 0)
print(f"\n{'right' if code in found.right else 'wrong'}\n{code}", flush=True)
