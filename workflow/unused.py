"""Removes runs that no study has any more."""

from pathlib import Path

from scheduler_core.common.errors import StudyError
from scheduler_core.common.files import remove_folder
from workflow.plan import Plan, Scale
from workflow.studies import read_study


def remove_unused_runs(plan: Plan) -> list[Path]:
    """Remove the runs whose cells no study has at their scale; return their folders.

    Every study in the folder counts, selected by the configuration or not: a run of one study (``--config 'studies=[mine]'``)
    keeps the results of the others. Nothing is removed while a study file cannot be read.
    """
    try:
        unused = [
            run
            for root in plan.scales
            if Path(root, "runs").is_dir()
            for run in unused_runs(plan.scales[root], plan.folder)
        ]
    except StudyError:
        return []
    for run in unused:
        remove_folder(run)
        if not any(run.parent.iterdir()):
            remove_folder(run.parent)
    return unused


def unused_runs(scale: Scale, folder: Path) -> list[Path]:
    """List the folders of runs at a scale whose cells no study in ``folder`` has."""
    planned = set(scale.cells)
    folders = [folder for folder in sorted(Path(scale.root, "runs").glob("*/*")) if folder.is_dir()]
    others = [run for run in folders if cell_of(run) not in planned]
    if not others:
        return []
    studies = [read_study(path, scale.name) for path in sorted(folder.glob("*/study.yaml"))]
    needed = {cell for study in studies for cell in study.cells}
    return [run for run in others if cell_of(run) not in needed]


def cell_of(run: Path) -> tuple[str, str]:
    """Return the ids of workload and policy of a run's folder."""
    return run.parent.name, run.name
