-- The tables of jobs that share processors: as scheduler_core/coscheduling/family.py says, and what is measured of them
-- (reports/families/coscheduling/measures.py).

CREATE TABLE matches ( -- pairs formed
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    begin_us BIGINT,
    job BIGINT,            -- the job that needs a partner
    partner BIGINT,        -- the partner found
    among VARCHAR,         -- where it was found: 'waiting' or 'running'
    backfilling BOOLEAN,   -- whether it was found while backfilling
    looked_at INTEGER,     -- jobs searched: the queue behind the job, or the running jobs
    medium_long INTEGER,   -- of these, medium or long jobs
    size_fits INTEGER,     -- of these, jobs no larger than the holder's processors
    memory_fits INTEGER,   -- of these, jobs that fit into memory with the holder
    types_match INTEGER,   -- of these, jobs of a matching kind
    slowdown_fits INTEGER, -- of these, jobs with an acceptable slowdown
    rank INTEGER,          -- place of the partner among these, from 1
    profit DOUBLE,         -- weight of the partner in the search; 0 where none is computed
    slowdown_ppm INTEGER   -- predicted slowdown of the pair, in millionths
);

CREATE TABLE offers ( -- slots offered to cross-site jobs
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    job BIGINT,
    slot_number INTEGER,   -- place among the slots of one offer, from 1
    made_us BIGINT, start_us BIGINT, -- time of the offer, and the offered start
    share_ppm INTEGER,     -- offered CPU share, in millionths
    slowdown_ppm INTEGER,  -- predicted slowdown, in millionths
    taken VARCHAR          -- 'no', 'picked' or 'reserved'
);

CREATE TABLE coscheduling_sums ( -- a row per run in which jobs may share processors
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    jobs BIGINT,           -- jobs that ran
    sharing_jobs BIGINT,   -- jobs that ever shared a processor
    occupied_us HUGEINT,   -- processors x time with at least one job
    shared_us HUGEINT,     -- processors x time with several jobs
    busy_us HUGEINT,       -- time in which at least one job ran
    sharing_us HUGEINT,    -- job x time on shared processors
    sharing_work_us HUGEINT -- work done meanwhile, in run time on dedicated processors
);

CREATE TABLE assigned_shares ( -- shares of every processor that jobs were assigned, of policies that assign any
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    job BIGINT,
    least_ppm INTEGER, most_ppm INTEGER -- the least and the largest share it ran with, in millionths
);

CREATE TABLE behaviours ( -- how the jobs of a workload use their time, where it has the companion table `behaviour`
    workload VARCHAR, replication INTEGER,
    job BIGINT,
    kind VARCHAR,          -- dominant resource: 'cpu', 'network' or 'disk'
    cpu DOUBLE, network DOUBLE, disk DOUBLE, -- parts of the run time alone that use a resource
    cpu_phase DOUBLE,      -- decides with whose computing the job's goes well
    memory_kb BIGINT       -- memory on each processor, or null
);

CREATE TABLE pair_kinds ( -- pairs by the kinds of their jobs
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    kinds VARCHAR,         -- dominant resource of both jobs, in alphabetical order: 'cpu + disk'
    pairs BIGINT,
    slowdown DOUBLE        -- mean predicted slowdown of these pairs
);
