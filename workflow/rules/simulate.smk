"""From workloads to checked schedules: cells (a workload under a policy), in batches worth a process."""


rule compile_kernels:
    """Compile the event loops of a family once, before many jobs would do so at the same time."""
    input:
        modules=PLAN.kernels,
    output:
        stamp="results/kernels/{family}.json",
    log:
        "logs/results/compile_kernels/{family}.log",
    message:
        "Compile the event loops of {wildcards.family}, which takes up to a minute once and is kept"
    script:
        "../scripts/compile_kernels.py"


for batch in PLAN.cell_batches:

    rule:
        """Run the cells of a batch that are not done, and prove the schedules legal.

        What a run depends on is in its description: the policy, its parameters, and the digest of all modules it reaches.
        """
        name:
            batch.name
        input:
            workloads=batch.workloads,
            kernels=f"results/kernels/{batch.family}.json",
        output:
            batch.files,
        log:
            f"logs/{batch.root}/{batch.name}.log",
        benchmark:
            f"benchmarks/{batch.root}/{batch.name}.tsv"
        priority: batch.seconds
        params:
            cells=batch.cells,
        message:
            f"Run {batch.title}"
        script:
            "../scripts/simulate_cells.py"
