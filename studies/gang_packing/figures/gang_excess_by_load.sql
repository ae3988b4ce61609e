-- The excess of the dynamic competitive ratio over 1, by offered load.
SELECT workload, workload_label, policy, policy_label, 100 * target_load AS load, value, low, high, units
FROM shown JOIN intervals USING (workload, policy)
WHERE metric = 'packing_excess' AND target_load IS NOT NULL AND workload LIKE 'jann-%'
ORDER BY position, load
