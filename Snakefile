"""Job logs and models through checked schedulers to a report: `snakemake --cores 2` is all it takes.

Targets: all (the default: the small scale), full, quick, paper, and every study by its name (its figures at the small scale).
Each folder of studies/ is a study. config/config.yaml may select some. `config/README.md` explains every key.

Wildcards: {root} is the folder of a scale's results (results, results/full, results/quick, results/paper). {study}, {log} and
{family} are ids.
{batch} names workloads, or cells (a workload under a policy), that one process makes (`workflow/batches.py`).
PLAN is the configuration, read and checked. `PLAN.scale(wildcards)` is the scale of a job (`workflow/plan.py: Scale`),
`PLAN.sources(...)` lists all files that some modules reach by imports.
"""

import os

from snakemake.utils import min_version

from scheduler_core.common.files import remove_leftovers
from scheduler_core.common.garbage import collect_rarely
from workflow.entry import read_plan
from workflow.stamps import withdraw_stamps
from workflow.unused import remove_unused_runs

min_version("9.20")

# Planning makes a million objects and drops few of them.
collect_rarely()

# Scripts import the packages beside this file, whichever copy is installed.
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [workflow.basedir, os.getenv("PYTHONPATH")])))

# A job has one processor. By default, polars and numpy's linear algebra start a thread per processor of the machine in each job.
os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# Lint wants an environment for every rule. Only `--sdm apptainer` uses this image.
container: "docker://python:3.11-slim"


configfile: "config/config.yaml"


TARGETS = workflow.dag_settings.targets if workflow.dag_settings else ()
PLAN = read_plan(config, workflow.basedir, main=workflow.is_main_process, targets=TARGETS)

# Snakemake sees only the stamp of a batch. A stamp whose files were lost or changed goes, so that its batch runs again: targets
# ask for every stamp, because Snakemake does not miss a file between other files that are up to date.
if workflow.is_main_process:
    for root in PLAN.scales:
        withdraw_stamps(root)


wildcard_constraints:
    **PLAN.wildcards,


include: "workflow/rules/workloads.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/store.smk"
include: "workflow/rules/report.smk"


onstart:
    remove_leftovers("results")
    remove_unused_runs(PLAN)


rule all:
    """Every study, small: about ten minutes on two cores."""
    default_target: True
    input:
        report="results/report/index.html",
        stamps=lambda wildcards: PLAN.scales["results"].stamps,


rule full:
    """Every study as written."""
    input:
        report="results/full/report/index.html",
        stamps=lambda wildcards: PLAN.scales["results/full"].stamps,


rule quick:
    """Every study in miniature, to see whether it runs."""
    input:
        report="results/quick/report/index.html",
        stamps=lambda wildcards: PLAN.scales["results/quick"].stamps,


rule paper:
    """Every study at the scale of a publication."""
    input:
        report="results/paper/report/index.html",
        stamps=lambda wildcards: PLAN.scales["results/paper"].stamps,


for study in PLAN.studies:

    rule:
        """One study at the small scale: its figures."""
        name:
            study
        input:
            figures=f"results/figures/{study}/figures.json",
            stamps=lambda wildcards: PLAN.scales["results"].stamps,
