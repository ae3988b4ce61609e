-- Runs of Concurrent Gang: activity of processors and jobs completed, per run. The view activity has the same by period.
--
-- Idle time and utilisation have two versions, because the thesis counts a spinning task as waiting in chapter 6 (section 6.4.1:
-- idle time is also the time "which a particular task was blocked waiting for I/O, synchronization and communication
-- completion") and as running in chapter 8 (section 8.5.2). utilisation is the share of processor time in which statements
-- were executed: spinning and switching are no work.
WITH measured AS (
    SELECT
        workload, policy, replication, completed::DOUBLE AS jobs_completed, (submitted - completed)::DOUBLE AS jobs_unfinished,
        one_task_submitted_share, one_task_completed_share, utilisation_spin_busy, utilisation_spin_idle,
        idle_time_spin_busy, idle_time_spin_idle, compute_share, message_share, spin_share, switch_share, blocked_share,
        empty_share, local_share, disk_utilisation, mean_tasks_per_processor, mean_rows
    FROM activity WHERE whole
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME metric VALUE value)
ORDER BY ALL;

-- Runs of other families on the same workloads continue until all jobs have ended. For comparison, their jobs_completed counts
-- the jobs that had ended when the runs of Concurrent Gang ended, provided that these ended together.
WITH lengths AS (
    SELECT workload, replication, max(end_us) AS end_us FROM activity_sums GROUP BY workload, policy, replication
),
ends AS (
    SELECT workload, replication, min(end_us) AS end_us
    FROM lengths GROUP BY workload, replication HAVING min(end_us) = max(end_us)
)
INSERT INTO measurements
SELECT
    workload, policy, 'replication', replication, 'jobs_completed', 'all', (count(*) FILTER (finish_us <= end_us))::DOUBLE
FROM jobs JOIN ends USING (workload, replication) ANTI JOIN activity_sums USING (workload, policy)
GROUP BY workload, policy, replication
ORDER BY ALL;

-- By application: jobs completed, and their slowdown and response time.
WITH by_application AS (
    SELECT
        workload, policy, replication, application,
        count(*)::DOUBLE AS jobs_completed,
        sum((1e9 * slowdown)::HUGEINT) / count(*) / 1e9 AS mean_slowdown,
        sum(finish_us - submit_us) / count(*) / 1e6 AS mean_response
    FROM job_times JOIN job_applications USING (workload, replication, job)
    SEMI JOIN activity_sums USING (workload, policy, replication)
    GROUP BY ALL
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, metric, 'application=' || application, value
FROM (UNPIVOT by_application ON jobs_completed, mean_slowdown, mean_response INTO NAME metric VALUE value)
ORDER BY ALL;
