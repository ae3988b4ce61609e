-- Where the machine belongs to one class of jobs at a time, as scheduler_core/slices/family.py says.

CREATE TABLE slices (
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster INTEGER,
    begin_us BIGINT, end_us BIGINT,
    class VARCHAR,       -- class of jobs that the machine belongs to
    overhead_us BIGINT   -- time from the begin in which no job runs
);

CREATE TABLE promises ( -- promises of schedulers that keep reservations to their waiting jobs
    workload VARCHAR, policy VARCHAR, replication INTEGER, job BIGINT, cluster INTEGER,
    made_us BIGINT,
    group_number BIGINT, -- group whose formation or end renewed the promise; 0: made at submission
    clock_us BIGINT,     -- class clock at which the job starts at the latest
    finish_us BIGINT     -- time at which it finishes at the latest
);

CREATE TABLE groups ( -- groups of jobs whose order was optimised together
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster INTEGER,
    group_number BIGINT, class VARCHAR, formed_us BIGINT, ended_us BIGINT,
    jobs BIGINT,
    long_wide BIGINT,    -- long, wide jobs that the first level ordered; 0 where it was not needed
    orders BIGINT, tree_nodes BIGINT, pruned BIGINT, pruned_leaves BIGINT, placements BIGINT,
    heuristic_slowdown DOUBLE, -- total estimated slowdown of the heuristic's own order
    slowdown DOUBLE      -- the same of the chosen order
);

CREATE TABLE members ( -- jobs of each group
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster INTEGER,
    group_number BIGINT,
    place BIGINT,        -- place in the chosen order, from 1
    job BIGINT
);

CREATE TABLE improvements ( -- how each search went: a row whenever it found a better schedule
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster INTEGER,
    group_number BIGINT,
    part BIGINT,         -- part of a group that was split, 0 or 1
    orders BIGINT,       -- orders generated so far in this part
    slowdown DOUBLE      -- least total estimated slowdown so far
);

CREATE TABLE characteristics ( -- composition of the workloads of such runs, by run-time class
    workload VARCHAR, replication INTEGER,
    class VARCHAR,       -- 'short' (below 600 s), 'medium' (below 3 h), 'long'
    jobs BIGINT,
    job_share DOUBLE, work_share DOUBLE, -- of all jobs, and of all processors x run time
    mean_size DOUBLE,    -- processors
    mean_gap_s DOUBLE,   -- between submissions, of all jobs of the workload
    long_narrow BIGINT   -- jobs of the class that run more than 8 h on at most a tenth of the machine
);

CREATE VIEW batch_groups AS -- groups formed per batch of a log (that of their first member), or per replication of a model
SELECT
    workload, policy, replication, batch,
    count(place) AS groups,
    count(*) FILTER (formed.class = 'medium') AS groups_medium,
    count(*) FILTER (formed.class = 'long') AS groups_long
FROM jobs
LEFT JOIN (
    FROM members LEFT JOIN groups USING (workload, policy, replication, cluster, group_number) WHERE place = 1
) AS formed USING (workload, policy, replication, job)
GROUP BY ALL;
