-- Median, 95th and 99th percentile (linear interpolation between order statistics) of the same six measures,
-- a value per run of some workloads: quantiles hold all jobs in memory.
WITH quantiles AS (
    SELECT
        workload, policy, replication,
        list_transform(quantile_cont(wait_us, [0.5, 0.95, 0.99]), lambda us: us / 1e6) AS wait,
        list_transform(quantile_cont(finish_us - submit_us, [0.5, 0.95, 0.99]), lambda us: us / 1e6) AS response,
        quantile_cont(slowdown, [0.5, 0.95, 0.99]) AS slowdown,
        quantile_cont(bounded_slowdown_10, [0.5, 0.95, 0.99]) AS bounded_slowdown_10,
        quantile_cont(bounded_slowdown_60, [0.5, 0.95, 0.99]) AS bounded_slowdown_60,
        quantile_cont(bounded_slowdown_600, [0.5, 0.95, 0.99]) AS bounded_slowdown_600
    FROM job_times WHERE workload IN (SELECT unnest($workloads))
    GROUP BY workload, policy, replication
),
measures AS (
    UNPIVOT quantiles ON COLUMNS(* EXCLUDE (workload, policy, replication)) INTO NAME measure VALUE three
)
INSERT INTO metrics
SELECT
    workload, policy, replication, which || '_' || measure, 'all', three[position],
    CASE WHEN measure IN ('wait', 'response') THEN 's' ELSE '' END
FROM measures CROSS JOIN (VALUES (1, 'median'), (2, 'p95'), (3, 'p99')) AS named (position, which)
ORDER BY ALL;
