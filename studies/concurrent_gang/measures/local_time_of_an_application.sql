-- Of the time of tasks that the local scheduler chose, that of jobs of an application.
-- Parameters: $application; $policy; $workloads. Unit: per cent (two values a replication).
SELECT
    w.label, replication AS unit, 100 * sum(local_ns) FILTER (application = $application)::DOUBLE AS value,
    sum(local_ns)::DOUBLE AS versus
FROM application_sums
JOIN workloads AS w USING (workload)
WHERE policy = $policy AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, workload, replication
ORDER BY list_position($workloads, workload), unit
