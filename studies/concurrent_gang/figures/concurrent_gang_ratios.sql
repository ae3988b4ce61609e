-- Jobs completed and utilisation with one policy and with another on the same jobs, a row per draw; beside them what the thesis
-- prints of the two.
SELECT
    workload, workload_label, processors, metric, a.replication AS unit, a.value, b.value AS versus,
    mine.value / theirs.value AS printed, mine.place
FROM shown
JOIN run_values AS a USING (workload, policy)
JOIN run_values AS b USING (workload, replication, metric, scope)
LEFT JOIN printed_values AS mine USING (workload, policy, metric, scope)
LEFT JOIN printed_values AS theirs ON
    theirs.workload = workload AND theirs.policy = b.policy AND theirs.metric = metric AND theirs.scope = scope
WHERE policy = $policy AND b.policy = $versus AND scope = 'all' AND metric IN ('jobs_completed', 'utilisation_spin_busy')
    AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), metric, unit
