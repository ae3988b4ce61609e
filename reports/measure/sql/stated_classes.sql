-- Means by the classes that a workload itself states: by run time ('class=short') and by who fixes a job's size
-- ('flexibility=rigid'). Workloads that state none have none.
WITH classes AS (
    SELECT
        workload, policy, replication,
        coalesce('class=' || class, 'flexibility=' || flexibility) AS scope,
        sum(jobs)::DOUBLE AS jobs,
        sum(wait_us) / sum(jobs) / 1e6 AS mean_wait,
        sum(response_us) / sum(jobs) / 1e6 AS mean_response,
        sum(relative_response) / sum(jobs) / 1e9 AS mean_relative_response,
        sum(bounded_slowdown_60) / sum(jobs) / 1e9 AS mean_bounded_slowdown_60
    FROM job_sums
    GROUP BY workload, policy, replication, GROUPING SETS ((class), (flexibility))
    HAVING scope IS NOT NULL
)
INSERT INTO metrics
SELECT
    workload, policy, replication, metric, scope, value,
    CASE WHEN metric IN ('mean_wait', 'mean_response') THEN 's' WHEN metric = 'jobs' THEN 'jobs' ELSE '' END
FROM (UNPIVOT classes ON COLUMNS(* EXCLUDE (workload, policy, replication, scope)) INTO NAME metric VALUE value)
ORDER BY ALL;
