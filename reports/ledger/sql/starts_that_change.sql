-- Jobs that start at another time under one policy than under another, on the same draws. Exact.
-- Parameters: $policy; $versus; $workloads. Unit: jobs.
SELECT w.label AS label, count(*) FILTER (m.start_us IS DISTINCT FROM n.start_us)::DOUBLE AS value
FROM jobs AS m
JOIN jobs AS n USING (workload, replication, job)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, workload
ORDER BY list_position($workloads, workload)
