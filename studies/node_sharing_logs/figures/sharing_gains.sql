-- Gain of matchmaking over PSS on logs, on the same jobs, by load; and with what jobs do drawn anew ("SDSC-SP2, draw 2, load 0.9").
SELECT
    split_part(shown.workload_label, ', ', 1) AS log,
    CASE WHEN len(string_split(shown.workload_label, ', ')) > 2 THEN split_part(shown.workload_label, ', ', 2) ELSE '' END AS drawn,
    shown.policy, policy_label, metric, scope, 100 * w.target_load AS load, w.jobs, 100 * (1 - ratio) AS value,
    100 * (1 - ratio_high) AS low, 100 * (1 - ratio_low) AS high, units
FROM shown
JOIN workloads AS w USING (workload)
JOIN comparisons AS c USING (workload, policy)
WHERE list_contains($metrics, metric) AND list_contains($scopes, scope) AND versus_policy = 'pss' AND versus_workload = workload AND w.target_load IS NOT NULL
ORDER BY list_position($metrics, metric), list_position($scopes, scope), log DESC, drawn, shown.position, load
