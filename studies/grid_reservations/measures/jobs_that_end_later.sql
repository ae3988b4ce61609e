-- Jobs that end later under one policy than under another, on the same draws, over all jobs. Exact.
-- Parameters: $policy; $versus; $workloads. Unit: per cent.
SELECT w.label AS label, 100 * count(*) FILTER (m.finish_us > n.finish_us) / count(*) AS value
FROM jobs AS m
JOIN jobs AS n USING (workload, replication, job)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, workload
ORDER BY list_position($workloads, workload)
