-- The tables of what is measured of gang scheduling (reports/families/gang/measures.py, packing.py).

CREATE TABLE gang_sums ( -- sums over the allocations of each run in which slots take turns, in processors x time
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    jobs BIGINT,                -- jobs that ran
    busy_us HUGEINT,            -- processors x time in turn
    alone_us HUGEINT,           -- part of it with a single slot, so without switching
    stalled_us HUGEINT,         -- part of it in which jobs were being reconfigured
    speedup_us HUGEINT,         -- speed-up x time at work, where jobs state their flexibility
    efficiency HUGEINT,         -- each job's speed-up over its processors, in billionths, summed over jobs
    begin_us BIGINT, end_us BIGINT, -- first start, last finish
    level_us HUGEINT,           -- slots x time between them
    queued_us HUGEINT,          -- time between them in which at least one job waited for its start; null: none ever did
    queued_busy_us HUGEINT      -- processors x time in turn then
);

CREATE TABLE packing ( -- dynamic competitive ratio by arrival, at most some thousand points a run
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    arrival INTEGER,   -- number of the arrival, from 1
    submit_s DOUBLE,   -- when it arrived
    slots INTEGER,     -- slots in use right after it
    fewest INTEGER,    -- slots that the present jobs would fill without a gap
    present INTEGER,   -- jobs present
    ratio DOUBLE       -- dynamic competitive ratio over the arrivals so far
);

CREATE TABLE memory_packing ( -- progress of a memory packing by a time
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    horizon_s DOUBLE,
    arrived INTEGER,   -- jobs submitted by then
    completed INTEGER, -- jobs completed by then
    waited INTEGER,    -- jobs submitted by then that had to wait
    ratio DOUBLE       -- memory that could be in use over that in use, mean over the arrivals by then
);

CREATE TABLE batches ( -- runs in which all jobs are submitted at time 0
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    makespan_s DOUBLE,
    bound_s DOUBLE,       -- lower bound of the makespan: longest job, or area over processors
    ratio DOUBLE,         -- makespan / bound
    slots INTEGER,        -- slots of the first period; null where slots do not take turns
    idling_ratio DOUBLE   -- share of the first period's slots x processors that no job holds; null likewise
);
