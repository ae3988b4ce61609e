"""Make a run of a policy of each family in the current folder, with its workload beside it, to be damaged and forged."""

import contextlib
import io

from slotwise.cli.main import main

SMALL = ("lublin", "--jobs", "12", "--seed", "3", "--load", "0.9")
MACHINE = ("--set", "processors=8")
WINDOW = ("--set", "until_s=2000", "--set", "trace_s=20")
RUNS = {
    "easy": (MACHINE, ()),
    "gang": (MACHINE, ()),
    "pect": (MACHINE, ()),
    "lomarc": ((*MACHINE, "--behaviour", "lomarc"), ()),
    "grid": (("--clusters", "8,8"), ()),
    "concurrent_gang": ((*MACHINE, "--applications", "IO/BSP/Emb"), WINDOW),
}
"""Options of the workload and of the policy, by policy."""


def made_runs() -> None:
    """Make the runs; end when one cannot be made."""
    for policy, (more, parameters) in RUNS.items():
        workload = f"{policy}.w.parquet"
        with contextlib.redirect_stdout(io.StringIO()):
            for words in (
                ("generate", *SMALL, *more, "--out", workload),
                ("simulate", workload, "--policy", policy, *parameters, "--out", policy),
            ):
                if main(words):
                    raise SystemExit(f"no run to damage: slotwise {' '.join(words)}")


if __name__ == "__main__":
    made_runs()
