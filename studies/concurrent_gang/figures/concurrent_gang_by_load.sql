-- Jobs completed and utilisation with one policy and with another on the same jobs, by offered load, a row per draw.
SELECT
    workload, workload_label, 100 * target_load AS load, metric, a.replication AS unit, a.value, b.value AS versus
FROM shown
JOIN metrics AS a USING (workload, policy)
JOIN metrics AS b USING (workload, replication, metric, scope)
WHERE policy = $policy AND b.policy = $versus AND scope = 'all' AND metric IN ('jobs_completed', 'utilisation_spin_busy')
    AND regexp_full_match(workload, $pattern)
ORDER BY metric, workload_label, load, unit
