-- Share of the jobs of a published schedule that start at the same second here, in %.
SELECT
    replace(workloads.label, ', as published', '') AS label,
    100.0 * count(*) FILTER (jobs.start_us = recorded_starts.start_us) / count(*) AS value
FROM jobs
JOIN recorded_starts USING (workload, replication, job)
JOIN workloads USING (workload)
WHERE policy = 'easy-published'
GROUP BY workload, workloads.label
ORDER BY workloads.label
