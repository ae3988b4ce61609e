"""Compile the event loops of a family of engines into numba's cache."""

from importlib.metadata import version

from scheduler_core.common.files import write_json
from scheduler_core.declarations.policy import policies_by_family
from scheduler_core.runs.simulation import compile_family
from workflow.adapter import logged

with logged(snakemake.log[0]):
    compile_family(policies_by_family()[snakemake.wildcards.family])
    write_json(snakemake.output.stamp, {"numba": version("numba")})
