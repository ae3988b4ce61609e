-- Utilisation from the begin to each of fifty times of the run, a row per draw.
SELECT workload, workload_label, policy, policy_label, replication AS unit, end_s, 100 * utilisation_spin_busy AS value
FROM activity
JOIN shown USING (workload, policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY list_position($workloads, workload), position, unit, end_s
