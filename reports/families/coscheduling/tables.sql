-- The tables of jobs that share processors: as scheduler_core/coscheduling/family.py says, and what is measured of them
-- (reports/families/coscheduling/measures.py).

CREATE TABLE matches ( -- a row per pair formed
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    begin_us BIGINT,
    job BIGINT,            -- the job a partner was searched for
    partner BIGINT,        -- the job that was found
    among VARCHAR,         -- where: 'waiting' or 'running'
    backfilling BOOLEAN,   -- while backfilling
    looked_at INTEGER,     -- jobs the search looked at: the queue behind the job, or those that run
    medium_long INTEGER,   -- of them left after each filter, in this order: medium or long,
    size_fits INTEGER,     -- no larger than the holder's processors,
    memory_fits INTEGER,   -- fitting into memory together,
    types_match INTEGER,   -- of kinds that may be matched,
    slowdown_fits INTEGER, -- slowed down no more than is allowed
    rank INTEGER,          -- place of the chosen one among those left, from 1
    profit DOUBLE,         -- 0 where none is computed
    slowdown_ppm INTEGER   -- of the pair, as the scheduler believes, in millionths
);

CREATE TABLE offers ( -- slots that cross-site jobs were offered
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    job BIGINT,
    slot_number INTEGER,   -- place among the slots of one offer, from 1
    made_us BIGINT, start_us BIGINT, -- when it was made, and the start it offers
    share_ppm INTEGER,     -- CPU share and slowdown it offers, in millionths
    slowdown_ppm INTEGER,
    taken VARCHAR          -- 'no', 'picked' or 'reserved'
);

CREATE TABLE coscheduling_sums ( -- a row per run in which jobs may share processors
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    jobs BIGINT,           -- that ran
    sharing_jobs BIGINT,   -- of them those that ever shared a processor
    occupied_us HUGEINT,   -- processors x time with at least one job
    shared_us HUGEINT,     -- processors x time with several
    busy_us HUGEINT,       -- time in which at least one job ran
    sharing_us HUGEINT,    -- job x time beside another job on the same processors
    sharing_work_us HUGEINT -- work done meanwhile, in time alone
);

CREATE TABLE pair_kinds ( -- which kinds of jobs were paired
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    kinds VARCHAR,         -- what dominates in the two, in alphabetical order: 'cpu + disk'
    pairs BIGINT,
    slowdown DOUBLE        -- mean over these pairs, as the scheduler believes
);
