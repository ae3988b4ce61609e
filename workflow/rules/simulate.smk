"""From workloads to checked schedules."""


rule compile_kernels:
    """Compile the event loops of a family once, before several jobs compile them at the same time."""
    input:
        PLAN.kernels,
    output:
        stamp="results/kernels/{family}.json",
    log:
        "logs/results/compile_kernels/{family}.log",
    # First of all: a family that is compiled last would leave the other processors without work.
    priority: 1
    params:
        title=lambda wildcards: wildcards.family.replace("_", " "),
    message:
        "Compile the event loops of {params.title}: up to a minute, once"
    script:
        "../scripts/compile_kernels.py"


rule simulate_cells:
    """Run the unfinished cells of a batch, and prove their schedules legal.

    Beside its workload, a run depends only on `params.cells`: the policy, its parameters, and the digest of all modules that the
    policy reaches.
    """
    input:
        workloads=lambda wildcards: collect(
            "{root}/stamps/workloads/{batch}.json",
            root=wildcards.root,
            batch=PLAN.scale(wildcards).batches_of(PLAN.cells(wildcards)),
        ),
        kernels=PLAN.compiled,
    output:
        stamp="{root}/stamps/runs/{batch}.json",
    log:
        "logs/{root}/simulate_cells/{batch}.log",
    benchmark:
        "benchmarks/{root}/{batch}.tsv"
    params:
        root="{root}",
        cells=lambda wildcards: PLAN.cells(wildcards).cells,
        title=lambda wildcards: PLAN.cells(wildcards).title,
    message:
        "Run {params.title}"
    script:
        "../scripts/simulate_cells.py"
