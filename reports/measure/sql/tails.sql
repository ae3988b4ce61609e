-- Median, 95th and 99th percentile (linear interpolation between order statistics) of wait, response and slowdowns, per run.
-- Quantiles hold all jobs in memory, so the query takes some workloads at a time. Batches of a log have the 95th percentile of
-- wait and of bounded slowdown.
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
),
batches AS (
    SELECT
        workload, policy, batch,
        quantile_cont(wait_us, 0.95) / 1e6 AS p95_wait,
        quantile_cont(bounded_slowdown_10, 0.95) AS p95_bounded_slowdown_10
    FROM job_times SEMI JOIN (FROM workloads WHERE unit_kind = 'batch') USING (workload)
    WHERE workload IN (SELECT unnest($workloads))
    GROUP BY workload, policy, batch
)
INSERT INTO measurements
SELECT workload, policy, 'replication', replication, which || '_' || measure AS metric, 'all', three[position]
FROM measures CROSS JOIN (VALUES (1, 'median'), (2, 'p95'), (3, 'p99')) AS named (position, which)
UNION ALL
SELECT workload, policy, 'batch', batch, metric, 'all', value
FROM (UNPIVOT batches ON p95_wait, p95_bounded_slowdown_10 INTO NAME metric VALUE value)
ORDER BY ALL;
