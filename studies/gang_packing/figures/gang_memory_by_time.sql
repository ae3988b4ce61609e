-- What the memory packings have done by the times of da Silva's figures 5.5 and 5.6, with the 95 % intervals over the sequences.
SELECT
    workload, workload_label, policy, policy_label, horizon_s / 3600 AS hours, value, low, high, units,
    (
        SELECT avg(arrived) FROM memory_packing AS m
        WHERE m.workload = times.workload AND m.policy = times.policy AND m.horizon_s = times.horizon_s
    ) AS arrived
FROM (SELECT DISTINCT workload, policy, horizon_s FROM memory_packing) AS times
    JOIN shown USING (workload, policy)
    JOIN intervals USING (workload, policy)
WHERE metric = $metric AND scope = 'by ' || horizon_s::INTEGER || ' s'
ORDER BY target_load NULLS FIRST, position, hours
