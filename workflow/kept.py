"""Runs that are kept for later (`scheduler_core/runs/cells.py`), once no study has their cells any more."""

from __future__ import annotations

from pathlib import Path

from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import remove_folder
from workflow.plan import ROOTS, Plan
from workflow.studies import read_study


def remove_unused(plan: Plan) -> list[Path]:
    """Remove the kept runs whose cells no study has at their scale; return their folders.

    A study counts that the configuration does not list, too, as long as its file is there: one that is run now and then
    (``--config 'studies=[mine]'``) leaves what the others have done in place. Where a file of a study cannot be read, nothing
    is removed.
    """
    removed: list[Path] = []
    for scale, root in ROOTS.items():
        folders = sorted(folder for folder in Path(root, "kept").glob("*/*") if folder.is_dir())
        listed = set(plan.scales[root].cells)
        unlisted = [folder for folder in folders if cell_of(folder) not in listed]
        if not unlisted:
            continue
        try:
            planned = {
                cell for path in sorted(plan.folder.glob("*/study.yaml")) for cell in read_study(path, scale).cells
            }
        except StudyError:
            return removed
        for folder in unlisted:
            if cell_of(folder) not in planned:
                remove_folder(folder)
                removed.append(folder)
                if not any(folder.parent.iterdir()):
                    remove_folder(folder.parent)
    return removed


def cell_of(folder: Path) -> tuple[str, str]:
    """Return workload and policy of a folder of a run."""
    return folder.parent.name, folder.name
