"""Compile the event loops into numba's cache."""

from importlib.metadata import version

from scheduler_core.files import write_json
from scheduler_core.simulation import compile_kernels
from workflow.adapter import logged

with logged(snakemake.log[0]):
    compile_kernels(processes=snakemake.threads)
    write_json(snakemake.output.stamp, {"numba": version("numba")})
