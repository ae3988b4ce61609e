-- The independent units behind every interval: a replication of a model; of a log, a batch of consecutive
-- submissions (of all replications together, where a log has several). Classes carry their name behind the
-- metric's.
CREATE TEMP TABLE units AS
SELECT workload, CASE kind WHEN 'log' THEN 'batch' ELSE 'replication' END AS unit_is FROM workloads;

WITH sums AS (
    SELECT *, CASE unit_is WHEN 'batch' THEN batch ELSE replication END AS unit
    FROM job_sums JOIN units USING (workload)
),
means AS (
    SELECT
        workload, policy, unit,
        sum(wait_us) / sum(jobs) / 1e6 AS mean_wait,
        sum(to_start_us) / sum(jobs) / 1e6 AS mean_time_to_start,
        sum(response_us) / sum(jobs) / 1e6 AS mean_response,
        sum(slowdown) / sum(jobs) / 1e9 AS mean_slowdown,
        sum(bounded_slowdown_10) / sum(jobs) / 1e9 AS mean_bounded_slowdown_10,
        sum(bounded_slowdown_60) / sum(jobs) / 1e9 AS mean_bounded_slowdown_60,
        sum(bounded_slowdown_600) / sum(jobs) / 1e9 AS mean_bounded_slowdown_600,
        sum(relative_response) / sum(jobs) / 1e9 AS mean_relative_response,
        max(longest_wait_us) / 1e6 AS max_wait,
        sum(wait_us) FILTER (width = 'narrow') / sum(jobs) FILTER (width = 'narrow') / 1e6 AS mean_wait_narrow,
        sum(wait_us) FILTER (width = 'wide') / sum(jobs) FILTER (width = 'wide') / 1e6 AS mean_wait_wide,
        sum(wait_us) FILTER (length = 'short') / sum(jobs) FILTER (length = 'short') / 1e6 AS mean_wait_short,
        sum(wait_us) FILTER (length = 'medium') / sum(jobs) FILTER (length = 'medium') / 1e6 AS mean_wait_medium,
        sum(wait_us) FILTER (length = 'long') / sum(jobs) FILTER (length = 'long') / 1e6 AS mean_wait_long
    FROM sums GROUP BY workload, policy, unit
)
INSERT INTO unit_metrics
SELECT workload, policy, unit, metric, value
FROM (UNPIVOT means ON COLUMNS(* EXCLUDE (workload, policy, unit)) INTO NAME metric VALUE value)
ORDER BY ALL;

WITH tails AS (
    SELECT
        workload, policy, batch AS unit,
        quantile_cont(wait_us, 0.95) / 1e6 AS p95_wait,
        quantile_cont(bounded_slowdown_10, 0.95) AS p95_bounded_slowdown_10
    FROM job_times SEMI JOIN (FROM units WHERE unit_is = 'batch') USING (workload)
    GROUP BY workload, policy, batch
)
INSERT INTO unit_metrics
SELECT workload, policy, unit, metric, value
FROM (UNPIVOT tails ON p95_wait, p95_bounded_slowdown_10 INTO NAME metric VALUE value)
ORDER BY ALL;

INSERT INTO unit_metrics
SELECT workload, policy, replication, metric, value
FROM metrics SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    scope = 'all'
    AND metric IN (
        'p95_wait', 'p95_bounded_slowdown_10', 'utilisation', 'steady_utilisation', 'makespan', 'loss_of_capacity'
    )
ORDER BY ALL;

INSERT INTO unit_metrics
SELECT workload, policy, replication, metric || '_' || replace(scope, '=', '_'), value
FROM metrics SEMI JOIN (FROM units WHERE unit_is = 'replication') USING (workload)
WHERE
    (starts_with(scope, 'class=') OR starts_with(scope, 'flexibility='))
    AND metric IN ('mean_response', 'mean_relative_response')
ORDER BY ALL;

WITH misses AS (
    SELECT
        workload, policy, CASE unit_is WHEN 'batch' THEN batch ELSE replication END AS unit,
        sum(late) / sum(jobs) AS late_share,
        sum(miss_us) / sum(jobs) / 1e6 AS mean_miss_time
    FROM miss_sums JOIN units USING (workload)
    GROUP BY ALL
)
INSERT INTO unit_metrics
SELECT workload, policy, unit, metric, value
FROM (UNPIVOT misses ON late_share, mean_miss_time INTO NAME metric VALUE value)
ORDER BY ALL;
