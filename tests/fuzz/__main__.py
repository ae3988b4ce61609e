"""Run hostile inputs, each in a process with limits, and print how they end by kind; exit code 1 if one ends wrongly."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.paths import PROJECT

SECONDS = 120
TOLD_EVERY_S = 60

RIGHT = "ends in words"


def environment() -> dict[str, str]:
    """Return the environment of an input: the project, no logs, one thread per library."""
    threads = dict.fromkeys(("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "2")
    return {**os.environ, **threads, "PYTHONPATH": str(PROJECT), "NUMBA_NUM_THREADS": "1"}


def ended(seed: int, desk: Path, verbose: bool = False) -> tuple[str, str]:
    """Run the input of a seed in a process of its own; return its kind and how it ended, :data:`RIGHT` or what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.fuzz.child", str(seed), str(desk)]
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment(), capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired as late:
            return kind_of(late.stdout or b""), f"takes more than {SECONDS} s"
    said = done.stderr.decode("utf-8", "replace")
    if verbose:
        print(done.stdout.decode("utf-8", "replace"), said, done.returncode, sep="\n")
    kind, right = kind_of(done.stdout), b"\nright\n" in done.stdout
    if "Traceback (most recent call last)" in said or "panicked at" in said:
        return kind, f"ends in a traceback: {said.strip().splitlines()[-1][:200]}"
    if done.returncode < 0:
        return kind, f"ends by signal {-done.returncode}"
    return kind, RIGHT if right else "is accepted in silence, or ends with another exit code"


def kind_of(told: bytes) -> str:
    """Return the kind that a child wrote in its first line."""
    return told.decode("utf-8", "replace").partition("\n")[0] or "unmade"


def seeds(first: int, most: int | None, minutes: float) -> Iterator[int]:
    """Yield seeds until there are ``most``, or, without it, until the minutes are over."""
    until, seed = time.monotonic() + 60 * minutes, first
    while (seed < first + most) if most is not None else (time.monotonic() < until):
        yield seed
        seed += 1


def ends(numbers: Iterator[int], desk: Path, verbose: bool) -> Iterator[tuple[int, str, str]]:
    """Yield each seed, its kind and how it ended, in the order of seeds; as many inputs run at once as there are processors."""
    most = os.cpu_count() or 1
    running: deque[tuple[int, Future[tuple[str, str]]]] = deque()
    with ThreadPoolExecutor(most) as workers:
        for seed in numbers:
            running.append((seed, workers.submit(ended, seed, desk, verbose)))
            if len(running) == most:
                first, end = running.popleft()
                yield first, *end.result()
        for seed, end in running:
            yield seed, *end.result()


def fuzz(first: int, most: int | None, minutes: float, verbose: bool = False) -> list[str]:
    """Run inputs, print their number each minute and counts by kind at the end, and return the findings."""
    counts: Counter[tuple[str, str]] = Counter()
    findings: list[str] = []
    told = begun = time.monotonic()
    with tempfile.TemporaryDirectory() as desk:
        subprocess.run([sys.executable, "-m", "tests.fuzz.runs"], cwd=desk, env=environment(), check=True)
        for seed, kind, end in ends(seeds(first, most, minutes), Path(desk), verbose):
            counts[kind, end.partition(":")[0]] += 1
            if end != RIGHT:
                findings.append(f"seed {seed}: {kind}: {end}")
                print(f"{findings[-1]} (again: python -m tests.fuzz --seed {seed} --inputs 1 --verbose)", flush=True)
            if time.monotonic() > told + TOLD_EVERY_S:
                told = time.monotonic()
                print(
                    f"{(told - begun) / 60:.0f} min: {sum(counts.values()):,} inputs, {len(findings)} findings",
                    flush=True,
                )
    for (kind, end), number in sorted(counts.items()):
        print(f"{number:7,} {kind}: {end}")
    print(f"{sum(counts.values()):7,} inputs from seed {first}; {len(findings)} findings")
    return findings


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--inputs", type=int, help="number of inputs, instead of minutes")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--verbose", action="store_true", help="show what each input says")
    given = parser.parse_args()
    return 1 if fuzz(given.seed, given.inputs, given.minutes, given.verbose) else 0


if __name__ == "__main__":
    sys.exit(main())
