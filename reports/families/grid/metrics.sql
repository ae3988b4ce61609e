-- Runs on a grid, per run. Needs the temporary table gridded (reports/families/grid/measures.py).
--
-- mean_slowdown is the relative response time of Cao (2009, section 5.1): response time over run time, of all jobs, of local jobs
-- ('local') and of tasks ('tasks'), also by run-time class ('medium', 'local medium', 'tasks medium'). The response of a task
-- begins with the submission of its workflow; mean_slowdown_from_ready begins with the arrival of its data. Classes are those of
-- means.sql.
WITH kinds AS (
    SELECT
        workload, policy, replication, if(tasks.job IS NULL, 'local', 'tasks') AS kind,
        length_class(run_s) AS length,
        count(*) AS jobs,
        sum(j.finish_us - j.submit_us) AS response_us,
        sum((1e9 * slowdown)::HUGEINT) AS slowdown,
        sum((1e9 * bounded_slowdown_600)::HUGEINT) AS bounded_slowdown_600
    FROM job_times AS j SEMI JOIN gridded USING (workload) LEFT JOIN tasks USING (workload, replication, job)
    GROUP BY ALL
),
means AS (
    SELECT
        workload, policy, replication,
        concat_ws(' ', if(grouping(kind) = 0, kind, NULL), if(grouping(length) = 0, length, NULL)) AS scope,
        if(grouping(kind) = 0, sum(jobs)::DOUBLE, NULL) AS jobs,
        if(grouping(kind) = 0, sum(response_us) / sum(jobs) / 1e6, NULL) AS mean_response,
        sum(slowdown) / sum(jobs) / 1e9 AS mean_slowdown,
        if(grouping(kind) = 0, sum(bounded_slowdown_600) / sum(jobs) / 1e9, NULL) AS mean_bounded_slowdown_600
    FROM kinds
    GROUP BY workload, policy, replication, GROUPING SETS ((kind, length), (kind), (length))
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, scope, value
FROM (UNPIVOT means ON COLUMNS(* EXCLUDE (workload, policy, replication, scope)) INTO NAME metric VALUE value)
ORDER BY ALL;

WITH ready AS (
    SELECT
        workload, policy, replication,
        length_class(run_s) AS length,
        count(*) AS tasks, sum((1e9 * slowdown_from_ready)::HUGEINT) AS slowdown
    FROM task_times GROUP BY ALL
)
INSERT INTO measurements
SELECT
    workload, policy, 'replication', replication, 'mean_slowdown_from_ready',
    if(grouping(length) = 1, 'tasks', 'tasks ' || length), sum(slowdown) / sum(tasks) / 1e9
FROM ready
GROUP BY workload, policy, replication, GROUPING SETS ((length), ())
ORDER BY ALL;

-- Workflows. A makespan lasts from the first start to the last finish of the tasks (section 4.4.2), not from the submission.
INSERT INTO workflows
SELECT
    j.workload, j.policy, j.replication, workflow, count(*), count(DISTINCT if(j.outcome <> 'rejected', j.cluster, NULL)),
    min(j.submit_us), min(j.start_us), max(j.finish_us),
    CASE WHEN count(r.latest_us) > 0 THEN count_if(j.finish_us > r.latest_us) END
FROM jobs AS j
JOIN tasks USING (workload, replication, job)
LEFT JOIN reservations AS r USING (workload, policy, replication, workflow, task)
SEMI JOIN gridded USING (workload)
GROUP BY ALL ORDER BY ALL;

WITH measured AS (
    SELECT
        workload, policy, replication,
        count(*)::DOUBLE AS workflows,
        count_if(clusters = 0)::DOUBLE AS rejected_workflows,
        sum(finish_us - start_us) FILTER (WHERE clusters > 0) / count_if(clusters > 0) / 1e6 AS mean_workflow_makespan,
        sum(finish_us - submit_us) FILTER (WHERE clusters > 0) / count_if(clusters > 0) / 1e6 AS mean_workflow_response,
        max(finish_us - start_us) / 1e6 AS max_workflow_makespan,
        sum(clusters) FILTER (WHERE clusters > 0) / count_if(clusters > 0) AS mean_clusters_per_workflow,
        sum(late) / sum(tasks) FILTER (WHERE late IS NOT NULL) AS late_tasks_share
    FROM workflows GROUP BY workload, policy, replication
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;

-- reservation_share: tasks over medium and long jobs, tasks included (section 5.2), among the jobs that ran.
INSERT INTO measurements
SELECT
    workload, policy, 'replication', replication, 'reservation_share', 'all',
    count(tasks.job) / nullif(count_if(tasks.job IS NOT NULL OR run_s >= 600), 0)
FROM job_times SEMI JOIN gridded USING (workload) LEFT JOIN tasks USING (workload, replication, job)
GROUP BY workload, policy, replication
ORDER BY ALL;

-- Predictions: share of jobs that finished later than promised, and response time over promised response time; of local jobs with
-- a promise at submission, and of booked tasks.
INSERT INTO kept_promises
SELECT
    workload, policy, replication, 'task', count(*), count_if(j.finish_us > r.finish_us),
    sum((1e9 * (j.finish_us - j.submit_us) / (r.finish_us - j.submit_us))::HUGEINT) / count(*) / 1e9
FROM reservations AS r JOIN job_times AS j USING (workload, policy, replication, job)
GROUP BY workload, policy, replication
ORDER BY ALL;

WITH measured AS (
    SELECT
        workload, policy, replication, if(kind = 'task', 'tasks', kind) AS scope,
        late / jobs AS later_than_predicted_share, response_over_predicted AS mean_response_over_predicted
    FROM kept_promises
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, scope, value
FROM (UNPIVOT measured ON later_than_predicted_share, mean_response_over_predicted INTO NAME metric VALUE value)
ORDER BY ALL;

-- Lending: share of jobs that first ran in another class's slice, on clusters in slices.
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, 'started_elsewhere_share', class, elsewhere / jobs
FROM first_runs SEMI JOIN (FROM policies WHERE parameters ->> 'local' = 'pect') USING (policy) ORDER BY ALL;

-- Slides: moves of booked slots per booked task, in all and by cause.
WITH booked AS (
    SELECT workload, policy, replication, slides AS booked FROM slides WHERE cause = 'booked'
),
causes AS (SELECT unnest(['room', 'freed', 'not_ready', 'slid_down', 'recalculated']) AS cause),
counted AS (
    SELECT workload, policy, replication, cause, coalesce(slides, 0) AS slides, booked
    FROM booked CROSS JOIN causes LEFT JOIN slides USING (workload, policy, replication, cause)
)
INSERT INTO measurements
SELECT
    workload, policy, 'replication', replication,
    'slides_per_task', if(grouping(cause) = 1, 'all', cause),
    sum(slides) / any_value(booked)
FROM counted
GROUP BY workload, policy, replication, GROUPING SETS ((cause), ())
ORDER BY ALL;

-- Utilisation of each cluster ('cluster 0', ...): processors x time held over capacity, from the first submission to the last
-- finish on any cluster. utilisation_while_submitting ends with the last submission, so draining queues do not count.
WITH used AS (
    SELECT
        workload, policy, replication, cluster,
        sum(busy_us) / sum(processors::HUGEINT * length_us) AS utilisation,
        sum(busy_while_submitting_us) / nullif(sum(processors::HUGEINT * submitting_us), 0) AS utilisation_while_submitting
    FROM cluster_use JOIN clusters USING (workload, cluster)
    GROUP BY workload, policy, replication, GROUPING SETS ((cluster), ())
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, coalesce('cluster ' || cluster, 'all'), value
FROM (UNPIVOT used ON utilisation, utilisation_while_submitting INTO NAME metric VALUE value)
WHERE metric <> 'utilisation' OR cluster IS NOT NULL -- that of the whole grid is measured of every run
ORDER BY ALL;
