-- Gain of matchmaking over PSS on logs, on the same jobs, by load.
SELECT
    w.source, split_part(shown.workload_label, ', load', 1) AS log, shown.policy, policy_label, metric,
    100 * w.target_load AS load, 100 * (1 - ratio) AS value, 100 * (1 - ratio_high) AS low, 100 * (1 - ratio_low) AS high, units
FROM shown
JOIN workloads AS w USING (workload)
JOIN comparisons AS c USING (workload, policy)
WHERE list_contains($metrics, metric) AND versus_policy = 'pss' AND versus_workload = workload AND w.target_load IS NOT NULL
ORDER BY list_position($metrics, metric), log DESC, shown.position, load
