-- Utilisation in per cent, over the makespan and over the time in which the machine is neither filling nor draining.
SELECT workload_label, policy, policy_label, metric, replication AS unit, 100 * value AS value
FROM shown JOIN metrics USING (workload, policy)
WHERE policy IN ('pect', 'pect_o') AND metric IN ('utilisation', 'core_utilisation') AND scope = 'all'
    AND (workload LIKE 'seed-%' OR workload LIKE '%-first') AND workload <> 'seed-13'
ORDER BY metric DESC, position, unit
