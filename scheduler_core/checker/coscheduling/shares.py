"""Rules of shares of processor time: assignments follow from requests; reserved starts and shares are kept."""

from itertools import permutations

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.evidence import MOST, CoschedulingEvidence, effective
from scheduler_core.checker.coscheduling.slowdown import FULL, in_ppm
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned, column_of
from scheduler_core.common.units import NEVER_US


def needed_shares_fit(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """The shares needed by jobs that run at once (the least requested, or the promised) add up to at most the whole processor."""
    if not evidence.facts.shares:
        return NOTHING_CHECKED
    together = evidence.together
    added = together.least.sum(axis=1)
    first = evidence.allocations.select("job", "begin_us")[together.row[:, 0]]
    wrong = (together.there.sum(axis=1) > 1) & (added > FULL)
    return len(added), first.with_columns(needed_ppm=pl.Series(added)).filter(pl.Series(wrong))


def shares_are_assigned(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Each running job has the share that the rule of assignment gives it; together they have at most the whole processor.

    In order of start each job gets the most it asked for that leaves the jobs after it their least; the policy says which jobs
    get the remainder.
    """
    if not evidence.facts.shares:
        return NOTHING_CHECKED
    together = evidence.together
    got = np.zeros_like(together.least)
    for place in range(MOST):
        left = FULL - got[:, :place].sum(axis=1) - together.least[:, place + 1 :].sum(axis=1)
        got[:, place] = np.minimum(together.most[:, place], left)
    got = np.where(together.there, got, 0)
    alone = together.there.sum(axis=1) == 1
    if evidence.parameters["reclaim"] == "all":
        got = got * FULL // np.maximum(got.sum(axis=1), 1)[:, None]
    elif evidence.parameters["reclaim"] == "alone":
        got[alone, 0] = FULL
    there = together.there
    stated = column_of(evidence.allocations, "share_ppm")[together.row].astype(np.int64)
    over = np.where(there, stated, 0).sum(axis=1) > FULL
    exact = ~together.vague[:, None]
    wrong = there & ((exact & (stated != got)) | over[:, None])
    shown = evidence.allocations.select("job", "begin_us", "share_ppm")[together.row[wrong]]
    return int(there.sum()), shown.with_columns(expected_ppm=pl.Series(got[wrong]))


def coscheduled_slowdowns_are_limited(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """When a job starts beside others, no believed slowdown is beyond the limit.

    Reserved starts are exempt if slowdowns are learned, because they rest on earlier beliefs.
    """
    if not evidence.facts.shares:
        return NOTHING_CHECKED
    together, parameters = evidence.together, evidence.parameters
    believed, joined = together.slowdown, together.there.sum(axis=1) > 1
    if parameters["learns"] and parameters["slowdown"] == "table":
        rows = aligned(evidence.rows, reserved_starts(evidence), "job")
        unreserved = pl.col("reserved_us").is_null()
        starts, booked = np.zeros((2, evidence.allocations.height), bool)
        for marked, holds in ((starts, unreserved), (booked, ~unreserved)):
            marked[column_of(rows, "row")] = column_of(rows.select(starts=pl.col("first") & holds), "starts")
        joined &= together.any_of(starts) & ~together.any_of(booked)
        believed = learned_slowdowns(evidence)
    beyond = joined[:, None] & together.there & (believed > in_ppm(np.array(parameters["slowdown_limit"])))
    shown = evidence.allocations.select("job", "begin_us")[together.row[beyond]]
    return int(together.there[joined].sum()), shown.with_columns(believed_ppm=pl.Series(believed[beyond]))


def reserved_starts(evidence: CoschedulingEvidence) -> pl.DataFrame:
    """Return the jobs that reserved a start, with that start."""
    reserved = evidence.tables["offers"].filter(pl.col("taken").cast(pl.String) == "reserved")
    return reserved.select("job", reserved_us="start_us").unique("job", keep="first", maintain_order=True)


def learned_slowdowns(evidence: CoschedulingEvidence) -> np.ndarray:
    """Return each job's believed slowdown if slowdowns are learned, in the order of the sets of jobs that run at once.

    The scheduler knows a cell of the table once a row has ended before in which a job of the one application ran beside a single
    job of the other; an unknown cell is taken for the constant.
    """
    together, behaviour = evidence.together, evidence.behaviour
    begin, end = (column_of(evidence.allocations, name)[together.row] for name in ("begin_us", "end_us"))
    application = behaviour.column("application")[together.position]
    measured = np.full((application.max(initial=0) + 1,) * 2, NEVER_US)
    pairs = together.there.sum(axis=1) == 2
    for one, other in ((0, 1), (1, 0)):
        np.minimum.at(measured, (application[pairs, one], application[pairs, other]), end[pairs, one])
    believed = np.where(together.there & (together.there.sum(axis=1) == 1)[:, None], FULL, 0)
    constant = behaviour.by_number(together.there.sum(axis=1))
    for one, other in permutations(range(MOST), 2):
        both = together.there[:, one] & together.there[:, other]
        known = measured[application[both, one], application[both, other]] < begin[both, one]
        cell = in_ppm(behaviour.in_table(together.position[both, one], together.position[both, other]))
        believed[both, one] = np.maximum(believed[both, one], np.where(known, cell, constant[both]))
    return believed


def offers_of_jobs(evidence: CoschedulingEvidence) -> pl.DataFrame:
    """Return the offers with their jobs' requests and starts."""
    asked = evidence.asked.select("job", "submit_us").with_row_index("position")
    asked = asked.join(evidence.companions["shares"].select("job", "asks", "wanted_us"), on="job")
    offers = aligned(evidence.tables["offers"].with_row_index("order"), asked, "job")
    return offers.with_columns(pl.col("position").cast(pl.Int64), pl.col("taken", "asks").cast(pl.String))


def offers_are_sound(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """Jobs that ask for slots are offered them at submission, numbered by start, none before the wanted time.

    There are at most as many as the policy offers, and at least one unless the end of a running job is unknown. The share is
    within the request, and the slowdown is a possible one. A job takes the first of its slots: reserved, or merely picked.
    """
    table = evidence.tables["offers"]
    if not evidence.facts.shares:
        return table.height, table.select("job", "slot_number")
    offers, parameters = offers_of_jobs(evidence), evidence.parameters
    same = pl.col("job") == pl.col("job").shift(1)
    numbered = pl.when(same).then(pl.col("slot_number").shift(1) + 1).otherwise(1)
    word = pl.when(asks="reserves").then(pl.lit("reserved")).otherwise(pl.lit("picked"))
    takes = pl.when(slot_number=1).then(word).otherwise(pl.lit("no"))
    position = offers["position"].fill_null(0).to_numpy()
    low, high = (each[position] for each in evidence.behaviour.shares_asked)
    if parameters["assignment"] == "equal":
        low = high = np.full_like(low, FULL // parameters["at_once"])
    if parameters["accounting"] == "effective":
        slowdown = column_of(offers, "slowdown_ppm").astype(np.int64)
        low, high = effective(low, slowdown), effective(high, slowdown)
    share = column_of(offers, "share_ppm").astype(np.int64)
    predicted = may_be_predicted(evidence, position, column_of(offers, "slowdown_ppm"))
    right = (
        pl.col("asks").is_in(["reserves", "picks"])
        & (pl.col("made_us") == pl.col("submit_us"))
        & (pl.col("start_us") >= pl.max_horizontal("wanted_us", "made_us"))
        & (pl.col("slot_number") == numbered)
        & ~(same & (pl.col("start_us") <= pl.col("start_us").shift(1))).fill_null(False)
        & ~(pl.col("made_us") < pl.col("made_us").shift(1)).fill_null(False)
        & (pl.col("slot_number") <= parameters["offers"])
        & (pl.col("taken") == takes)
        & pl.Series((low <= share) & (share <= high) & predicted)
    )
    shown = ("job", "slot_number", "made_us", "start_us", "share_ppm", "taken")
    wrong = offers.filter(~right.fill_null(False)).select(*shown)
    unknown = parameters["learns"] and parameters["slowdown"] == "table"
    asking = evidence.companions["shares"].filter(pl.col("asks").cast(pl.String) != "nothing").select("job")
    asking = asking.join(evidence.asked.filter(~evidence.too_much).select("job"), on="job", how="semi")
    without = asking.clear() if unknown else asking.join(offers, on="job", how="anti")
    return offers.height + asking.height, pl.concat([wrong, without], how="diagonal")


def may_be_predicted(evidence: CoschedulingEvidence, position: np.ndarray, slowdown: np.ndarray) -> np.ndarray:
    """Return whether jobs can have a slowdown, alone or beside others, within the limit."""
    behaviour, parameters = evidence.behaviour, evidence.parameters
    known = [np.full(len(position), FULL)]
    if parameters["slowdown"] == "constants" or parameters["learns"]:
        known += [np.full(len(position), each) for each in behaviour.by_number(np.arange(2, parameters["at_once"] + 1))]
    if parameters["slowdown"] == "table":
        application = behaviour.column("application")
        known += list(in_ppm(np.nan_to_num(behaviour.cells[application[position]])).T)
    limit = max(FULL, int(in_ppm(np.array(parameters["slowdown_limit"]))))
    return np.any([slowdown == each for each in known], axis=0) & (slowdown <= limit)


def reservations_are_kept(evidence: CoschedulingEvidence) -> tuple[int, pl.DataFrame]:
    """A job starts at its reserved time, and never has less than its promised share."""
    if not evidence.facts.shares:
        return NOTHING_CHECKED
    rows = evidence.rows.join(reserved_starts(evidence), on="job", maintain_order="left")
    share, slowdown = (column_of(rows, name).astype(np.int64) for name in ("share_ppm", "slowdown_ppm"))
    promised = evidence.promised[0][column_of(rows, "position").astype(np.int64)]
    if evidence.parameters["accounting"] == "effective":
        promised = effective(promised, slowdown)
    late = pl.col("first") & (pl.col("begin_us") != pl.col("reserved_us"))
    rows = rows.with_columns(promised_ppm=pl.Series(promised, dtype=pl.Int64))
    wrong = rows.filter(late | pl.Series(share < promised, dtype=pl.Boolean))
    return rows.height, wrong.select("job", "begin_us", "reserved_us", "share_ppm", "promised_ppm")
