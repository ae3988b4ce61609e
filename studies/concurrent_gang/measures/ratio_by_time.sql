-- Utilisation from the begin to a time of the run, with one policy over another on the same jobs.
-- Parameters: $policy and $versus; $workloads; $times (s). Unit: none (two values a replication).
SELECT
    w.label || ', after ' || format('{:,}', end_s::INTEGER) || ' s' AS label, replication AS unit,
    m.utilisation_spin_busy AS value, n.utilisation_spin_busy AS versus
FROM activity AS m
JOIN activity AS n USING (workload, replication, end_s)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND workload IN (SELECT unnest($workloads)) AND end_s IN (SELECT unnest($times))
ORDER BY list_position($workloads, workload), end_s, unit
