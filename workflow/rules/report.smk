"""From the store to figures and the report."""


rule draw_study:
    """Draw the figures of a study: chart, picture, printable file and data."""
    input:
        store="{root}/slotwise.duckdb",
        modules=PLAN.figure_sources,
    output:
        figures="{root}/figures/{study}/figures.json",
    log:
        "logs/{root}/draw_study/{study}.log",
    group:
        "report"
    params:
        study=PLAN.study_folder,
        out="{root}/figures/{study}",
    message:
        "Draw the figures of {wildcards.study}"
    script:
        "../scripts/draw_study.py"


rule draw_windows:
    """Draw the windows of a family's schedules that the report shows."""
    input:
        store="{root}/slotwise.duckdb",
        modules=PLAN.sources(
            "reports.pages.diagram_page",
            "reports/families/*/page.py",
            "reports/families/*/*.sql",
            "scheduler_core/decisions/*/explanation.py",
            "scheduler_core/*/family.py",
        ),
    output:
        listed="{root}/schedules/{family}/windows.json",
    log:
        "logs/{root}/draw_windows/{family}.log",
    # The longest jobs of the report come first, so that the figures fill the other processors.
    priority: 1
    group:
        "report"
    params:
        title=lambda wildcards: wildcards.family.replace("_", " "),
        # Scales that take minutes explain the jobs of the schedules that a viewer shows first.
        every_job=lambda wildcards: PLAN.scale(wildcards).name in ("full", "paper"),
    message:
        "Draw windows of schedules of {params.title}"
    script:
        "../scripts/draw_windows.py"


rule render_report:
    """Render the report: findings, their uncertainty and their origin."""
    input:
        store="{root}/slotwise.duckdb",
        locations=lambda wildcards: PLAN.scale(wildcards).locations,
        figures=collect("{{root}}/figures/{study}/figures.json", study=PLAN.studies),
        windows=lambda wildcards: collect(
            "{root}/schedules/{family}/windows.json", root=wildcards.root, family=PLAN.scale(wildcards).drawn_families
        ),
        modules=PLAN.sources(
            "reports.pages.render",
            "reports/pages/*/*.*",
            "reports/families/*/*.*",
            "reports/figures/sql/*.sql",
            "scheduler_core/*/family.py",
        ),
    output:
        index="{root}/report/index.html",
    log:
        "logs/{root}/render_report.log",
    group:
        "report"
    params:
        studies=lambda wildcards: PLAN.scale(wildcards).study_files,
        require_logs=PLAN.require_logs,
    message:
        "Render {output.index}"
    script:
        "../scripts/render_report.py"
