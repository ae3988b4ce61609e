-- Of the time in which a processor has a running task, that in which the task computes: the rest are messages, spinning and switches.
-- Parameters: $policy; $workloads. Unit: per cent (two values a replication).
SELECT w.label, replication AS unit, 100 * c.value AS value, u.value AS versus
FROM metrics AS c
JOIN metrics AS u USING (workload, policy, replication, scope)
JOIN workloads AS w USING (workload)
WHERE policy = $policy AND scope = 'all' AND c.metric = 'compute_share' AND u.metric = 'utilisation_spin_busy'
    AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
