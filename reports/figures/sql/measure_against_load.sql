SELECT policy, policy_label, source, round(100 * target_load) AS load, value, units,
    low, high
FROM shown JOIN intervals USING (workload, policy)
WHERE metric = $metric AND scope = 'all' AND target_load IS NOT NULL AND variant_of IS NULL
    AND source IN (SELECT source FROM shown GROUP BY source HAVING count(DISTINCT target_load) > 1)
ORDER BY source, position, load
