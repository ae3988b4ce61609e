-- Messages that a task receives in as much processor time as a slice has, by workload and application: two values per draw.
-- Parameters: $workloads; $applications; $policy. Jobs of one task, which receive none, are left out.
SELECT
    w.label || ', ' || application AS label, replication AS unit,
    sum(messages)::DOUBLE AS value,
    sum(compute_ns + message_ns + spin_ns)::DOUBLE / 1e6 / any_value((parameters ->> 'slice_ms')::DOUBLE) AS versus
FROM application_sums
JOIN workloads AS w USING (workload)
JOIN policies USING (policy)
WHERE policy = $policy AND workload IN (SELECT unnest($workloads)) AND application IN (SELECT unnest($applications)) AND NOT one_task
GROUP BY workload, w.label, application, replication
HAVING versus > 0
ORDER BY list_position($workloads, workload), application, unit
