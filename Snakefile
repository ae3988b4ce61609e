"""Job logs and models through checked schedulers to a report: `snakemake --cores 2` is all it takes.

Targets: all (the default), quick, paper, and every study by its name (its figures at the default scale).
What is run stands in config/; `config/README.md` explains every key.

Wildcards: {root} is where the results of a scale are kept (results, results/quick, results/paper), {study} and {log} are ids,
{family} is a family of schedulers. Workloads and cells (a workload under a policy) come in batches, with a rule for each.
PLAN is the configuration, read and checked: `PLAN.at("runs")` is what the scale of a job has under that name
(`workflow/plan.py: Scale`), `PLAN.sources(...)` lists all files that some modules reach by imports.
"""

import os

from snakemake.utils import min_version, validate

from scheduler_core.common.files import remove_leftovers
from workflow.entry import read_plan
from workflow.kept import remove_unused

min_version("9.20")

# A job of the graph has one processor: polars would start as many threads in each as the machine has.
os.environ.setdefault("POLARS_MAX_THREADS", "1")


# Lint asks for an environment for every rule; this image serves only who runs with `--sdm apptainer`.
container: "docker://python:3.11-slim"


configfile: "config/config.yaml"


PLAN = read_plan(config, workflow.basedir, workflow.is_main_process)
validate(config, "workflow/schemas/config.schema.json")


wildcard_constraints:
    **PLAN.wildcards,


include: "workflow/rules/workloads.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/store.smk"
include: "workflow/rules/report.smk"


onstart:
    remove_leftovers("results")
    remove_unused(PLAN)


rule all:
    """Every study at the default scale."""
    default_target: True
    input:
        report="results/report/index.html",
        lost=lambda wildcards: PLAN.scales["results"].lost,


rule quick:
    """Every study in miniature: minutes."""
    input:
        report="results/quick/report/index.html",
        lost=lambda wildcards: PLAN.scales["results/quick"].lost,


rule paper:
    """Every study at the scale of a publication."""
    input:
        report="results/paper/report/index.html",
        lost=lambda wildcards: PLAN.scales["results/paper"].lost,


for study in PLAN.studies:

    rule:
        """One study at the default scale: its figures."""
        name:
            study
        input:
            figures=f"results/figures/{study}/figures.json",
