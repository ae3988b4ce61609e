-- Completed jobs of memory fit less those of best fit with memory, on the same sequences.
SELECT
    workload, workload_label, policy, policy_label, hours,
    avg(gain) AS value, stddev_samp(gain) AS spread, count(*) AS units
FROM (
    SELECT workload, m.policy, m.horizon_s / 3600 AS hours, m.completed - b.completed AS gain
    FROM memory_packing AS m JOIN memory_packing AS b USING (workload, replication, horizon_s)
    WHERE b.policy = 'gang-memory-best-fit' AND m.policy <> b.policy
) JOIN shown USING (workload, policy)
GROUP BY workload, workload_label, policy, policy_label, target_load, position, hours
ORDER BY target_load NULLS FIRST, position, hours
