WITH curve AS (
    SELECT workload, policy, unnest([0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.92, 0.94, 0.96, 0.98, 0.99, 0.995, 0.999]) AS share,
        unnest(quantile_cont(wait_s, [0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.92, 0.94, 0.96, 0.98, 0.99, 0.995, 0.999])) AS wait
    FROM job_times WHERE workload IN (SELECT workload FROM base) GROUP BY workload, policy)
SELECT workload_label, policy, policy_label, 100 * share::DOUBLE AS share, greatest(1, wait) AS wait
FROM base JOIN curve USING (workload, policy) ORDER BY position, share
