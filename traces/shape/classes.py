"""Run-time and width classes of jobs, as the publications define them."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.common.units import seconds_to_us

RunTimeClass = pl.Enum(("short", "medium", "long"))
"""A job's class by run time or estimate."""

WidthClass = pl.Enum(("narrow", "medium", "wide"))
"""A job's class by its share of the machine."""

TIMES = ("estimate", "runtime")
"""Times that can decide a run-time class: the estimate, or the run time itself."""

NARROW, MEDIUM = 0.10, 0.50
"""Largest share of the machine of a narrow and of a medium job (Table 4 of the SCOJO-PECT-O thesis)."""


@dataclass(frozen=True, slots=True)
class RunTimeClasses:
    """Limits of run-time classes.

    Attributes
    ----------
    name, source
        Their name, and the publication.
    short_s, medium_s
        Upper limits of short and of medium jobs, in seconds.
    limit_included
        Whether a job exactly at a limit belongs to the class below it.
    """

    name: str
    source: str
    short_s: float
    medium_s: float
    limit_included: bool

    def expression(self, by: str = "estimate") -> pl.Expr:
        """Return the class as a polars expression of type :data:`RunTimeClass`, named ``run_time_class``.

        Parameters
        ----------
        by
            ``estimate`` or ``runtime``.

        Raises
        ------
        ParameterError
            When ``by`` is neither.
        """
        if by not in TIMES:
            raise ParameterError(f"classes are taken by {' or '.join(TIMES)}; found {by!r}")
        time = pl.col(f"{by}_us")
        short, medium = seconds_to_us(self.short_s), seconds_to_us(self.medium_s)
        is_short, up_to_medium = time < short, time < medium
        if self.limit_included:
            is_short, up_to_medium = time <= short, time <= medium
        word = pl.when(is_short).then(pl.lit("short")).when(up_to_medium).then(pl.lit("medium"))
        return word.otherwise(pl.lit("long")).cast(RunTimeClass).alias("run_time_class")


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        RunTimeClasses("pect", "SCOJO-PECT and its group optimisation: 10 min and 3 h, section 7", 600, 10_800, False),
        RunTimeClasses("lomarc", "Sodan and Lan, LOMARC: 1 min and 1 h, section 6.2", 60, 3600, True),
        RunTimeClasses("scojo", "SCOJO, second workload: 3 min and 1 h, Table 7-2", 180, 3600, True),
    )
}
"""Run-time classes by name."""


def run_time_classes(name: str) -> RunTimeClasses:
    """Return the run-time classes of a name; raise :class:`ParameterError` for an unknown name."""
    if name not in SCHEMES:
        raise ParameterError(f"there are no run-time classes '{name}'; {nearest(name, SCHEMES)}")
    return SCHEMES[name]


def width_class(processors: int, narrow: float = NARROW, medium: float = MEDIUM) -> pl.Expr:
    """Return the width class as a polars expression of type :data:`WidthClass`, named ``width_class``.

    A job is narrow up to ``narrow`` of the machine's ``processors``, medium up to ``medium``, else wide.
    """
    if not 0 < narrow <= medium <= 1:
        raise ParameterError(f"width classes need 0 < narrow <= medium <= 1; found {narrow:g} and {medium:g}")
    word = (
        pl.when(pl.col("size") <= narrow * processors)
        .then(pl.lit("narrow"))
        .when(pl.col("size") <= medium * processors)
        .then(pl.lit("medium"))
    )
    return word.otherwise(pl.lit("wide")).cast(WidthClass).alias("width_class")
