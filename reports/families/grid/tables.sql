-- The tables of grids: clusters under one clock, local jobs of each, and workflows whose tasks are placed on them
-- (scheduler_core/grid/family.py, reports/families/grid/measures.py).

CREATE TABLE tasks ( -- jobs that are tasks of workflows; all others are local jobs
    workload VARCHAR, replication INTEGER,
    workflow BIGINT,
    task BIGINT,           -- 1, 2, ... within the workflow
    job BIGINT
);

CREATE TABLE reservations ( -- a row per task that was booked on a cluster
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    workflow BIGINT, task BIGINT, job BIGINT, cluster SMALLINT,
    made_us BIGINT,
    rank DOUBLE,           -- its priority within the workflow, in microseconds
    earliest_us BIGINT,    -- begin of the frame, as it was booked
    from_us BIGINT,        -- earliest start given to the prediction
    start_us BIGINT,       -- predicted start
    finish_us BIGINT,      -- predicted finish
    latest_us BIGINT,      -- end of the frame
    expected_us BIGINT,    -- when its data were expected
    ready_us BIGINT,       -- when its data had arrived
    freed_us BIGINT        -- begin of the frame in force at its start: earlier than booked with propagation
);

CREATE TABLE slides ( -- number of times booked slots were placed and moved
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    cause VARCHAR,         -- 'booked', 'room' (others left early), 'freed', 'not_ready', 'slid_down', 'recalculated'
    slides BIGINT,
    tasks BIGINT           -- number of tasks affected
);

CREATE TABLE kept_promises ( -- accuracy of the finish times promised at submission or booking
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    kind VARCHAR,          -- 'local' or 'task'
    jobs BIGINT,
    late BIGINT,           -- jobs that finished later than promised
    response_over_predicted DOUBLE -- response time / promised response time, mean over the jobs
);

CREATE TABLE cluster_use ( -- use of each cluster of a grid
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster SMALLINT,
    jobs BIGINT, tasks BIGINT, -- jobs that ran there; tasks among them
    busy_us HUGEINT,       -- processors x time held
    busy_while_submitting_us HUGEINT, -- the same up to the last submission to the grid
    length_us BIGINT,      -- from the first submission to the last finish on any cluster
    submitting_us BIGINT   -- from the first submission to the last one
);

CREATE TABLE workflows ( -- times of each workflow
    workload VARCHAR, policy VARCHAR, replication INTEGER, workflow BIGINT,
    tasks BIGINT,
    clusters BIGINT,       -- number of clusters it ran on; 0 where it was rejected
    submit_us BIGINT,
    start_us BIGINT, finish_us BIGINT, -- first start and last finish of its tasks; null where it was rejected
    late BIGINT            -- tasks that finished after the end of their frame; null where none was booked
);

CREATE TABLE ready_times ( -- arrival of the data of tasks that wait for data
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    workflow BIGINT, task BIGINT, ready_us BIGINT
);

CREATE VIEW task_times AS -- every task that ran, with its times in seconds
SELECT
    workload, policy, replication, workflow, task, job, cluster, size, submit_us, start_us, finish_us, run_s, response_s,
    slowdown, made_us, rank, earliest_us, latest_us, freed_us,
    planned_start_us, planned_finish_us,
    coalesce(ready.ready_us, submit_us) AS ready_us,
    (finish_us - coalesce(ready.ready_us, submit_us)) / 1e6 AS from_ready_s,
    (finish_us - coalesce(ready.ready_us, submit_us)) / least(runtime_us, estimate_us)
        AS slowdown_from_ready
FROM job_times
JOIN tasks USING (workload, replication, job)
LEFT JOIN ready_times AS ready USING (workload, policy, replication, workflow, task)
LEFT JOIN (
    SELECT
        workload, policy, replication, workflow, task, made_us, rank, earliest_us, latest_us, freed_us,
        start_us AS planned_start_us, finish_us AS planned_finish_us
    FROM reservations
) AS planned USING (workload, policy, replication, workflow, task);
