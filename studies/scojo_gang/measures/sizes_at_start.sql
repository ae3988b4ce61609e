-- Jobs over all instances that start on processors beyond their bounds: half their size, rounded down and at least 1, and twice their
-- size or the machine; rigid jobs on another number than their size. Exact.
-- Parameters: $workloads; $policy. Unit: jobs.
SELECT
    w.label AS label,
    count(*) FILTER (
        jobs.processors NOT BETWEEN if(flexibility = 'rigid', size, greatest(1, size // 2))
        AND if(flexibility = 'rigid', size, least(2 * size, w.processors))
    )::DOUBLE AS value
FROM jobs
JOIN workloads AS w USING (workload)
WHERE policy = $policy AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, workload
ORDER BY list_position($workloads, workload)
