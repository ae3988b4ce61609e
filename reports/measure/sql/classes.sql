-- Means by class of job. The scope is length and width ('long narrow'), a length ('long'), or a width ('any
-- narrow'); job_sums.sql draws the borders.
WITH classes AS (
    SELECT
        workload, policy, replication,
        CASE
            WHEN grouping(width) = 1 THEN length
            WHEN grouping(length) = 1 THEN 'any ' || width
            ELSE length || ' ' || width
        END AS scope,
        sum(jobs)::DOUBLE AS jobs,
        sum(wait_us) / sum(jobs) / 1e6 AS mean_wait,
        sum(relative_response) / sum(jobs) / 1e9 AS mean_relative_response,
        sum(bounded_slowdown_10) / sum(jobs) / 1e9 AS mean_bounded_slowdown_10,
        sum(bounded_slowdown_60) / sum(jobs) / 1e9 AS mean_bounded_slowdown_60,
        sum(bounded_slowdown_600) / sum(jobs) / 1e9 AS mean_bounded_slowdown_600
    FROM job_sums
    GROUP BY workload, policy, replication, GROUPING SETS ((length, width), (length), (width))
)
INSERT INTO metrics
SELECT
    workload, policy, replication, metric, scope, value,
    CASE metric WHEN 'mean_wait' THEN 's' WHEN 'jobs' THEN 'jobs' ELSE '' END
FROM (UNPIVOT classes ON COLUMNS(* EXCLUDE (workload, policy, replication, scope)) INTO NAME metric VALUE value)
ORDER BY ALL;
