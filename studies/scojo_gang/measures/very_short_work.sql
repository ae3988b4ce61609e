-- Part of the processor time that jobs ask for which falls on very short jobs.
-- Parameters: $workloads; $shorter_than_s, seconds. Unit: per cent.
SELECT
    label, replication AS unit,
    100 * coalesce(sum(runtime_us::HUGEINT * size) FILTER (runtime_us < 1e6 * $shorter_than_s), 0) / sum(runtime_us::HUGEINT * size) AS value
FROM jobs
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label, replication
ORDER BY label, unit
