-- The tables of grids: clusters under one clock, local jobs of each, and workflows whose tasks are placed on them
-- (scheduler_core/grid/family.py, reports/families/grid/measures.py).

CREATE TABLE tasks ( -- the jobs of a workload that are tasks of workflows; all others are local jobs
    workload VARCHAR, replication INTEGER,
    workflow BIGINT,
    task BIGINT,           -- 1, 2, ... within the workflow
    job BIGINT
);

CREATE TABLE reservations ( -- a row per task that was booked on a cluster
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    workflow BIGINT, task BIGINT, job BIGINT, cluster SMALLINT,
    made_us BIGINT,
    rank DOUBLE,           -- by which the tasks of a workflow were taken, in microseconds
    earliest_us BIGINT,    -- begin of the frame, as it was booked
    from_us BIGINT,        -- the start that was given to the prediction
    start_us BIGINT,       -- the start that was predicted
    finish_us BIGINT,      -- the finish that was predicted
    latest_us BIGINT,      -- end of the frame
    expected_us BIGINT,    -- when its data were expected
    ready_us BIGINT,       -- when its data had arrived
    freed_us BIGINT        -- begin of the frame in force at its start: earlier than booked with propagation
);

CREATE TABLE slides ( -- how often booked slots were placed and moved
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    cause VARCHAR,         -- 'booked', 'room' (others left early), 'freed', 'not_ready', 'slid_down'
    slides BIGINT,
    tasks BIGINT           -- tasks that this happened to
);

CREATE TABLE kept_promises ( -- of the jobs that were promised a finish when they were submitted or booked
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    kind VARCHAR,          -- 'local' or 'task'
    jobs BIGINT,
    late BIGINT,           -- that finished later
    response_over_predicted DOUBLE -- response time over the one that was promised, mean over the jobs
);

CREATE TABLE cluster_use ( -- what each cluster of a grid did
    workload VARCHAR, policy VARCHAR, replication INTEGER, cluster SMALLINT,
    jobs BIGINT, tasks BIGINT, -- that ran there: all, and those of them that are tasks
    busy_us HUGEINT,       -- processors x time held
    busy_while_submitting_us HUGEINT, -- the same up to the last submission to the grid
    length_us BIGINT,      -- from the first submission to the last finish on any cluster
    submitting_us BIGINT   -- from the first submission to the last one
);

CREATE TABLE workflows ( -- what became of each workflow
    workload VARCHAR, policy VARCHAR, replication INTEGER, workflow BIGINT,
    tasks BIGINT,
    clusters BIGINT,       -- clusters it ran on; 0: it was rejected
    submit_us BIGINT,
    start_us BIGINT, finish_us BIGINT, -- first start and last finish of its tasks; null where it was rejected
    late BIGINT            -- tasks that finished after the end of their frame; null where none was booked
);

CREATE TABLE ready_times ( -- when the data of a task had arrived; tasks that wait for none are not here
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
