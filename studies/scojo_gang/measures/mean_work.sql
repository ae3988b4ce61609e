-- Work of the jobs (run time x size) over what the middles of the intervals of Table 7-2 give: 557 and 5,207 h on 64 processors
-- for 8,000 and 3,000 jobs. Parameters: $workloads. Unit: none.
WITH classes (workload, share, size, runtime_s) AS (
    VALUES
        ('huang-1', 0.4, 2.5, 30.5), ('huang-1', 0.4, 14, 930), ('huang-1', 0.2, 20, 2700),
        ('huang-2', 0.3, 2.5, 90.5), ('huang-2', 0.35, 14, 1890), ('huang-2', 0.35, 20, 55800)
),
expected AS (SELECT workload, sum(share * size * runtime_s) AS job_s FROM classes GROUP BY workload)
SELECT
    label || ', work over the expected' AS label, replication AS unit,
    sum(runtime_us / 1e6 * size) / count(*) / job_s AS value
FROM jobs
JOIN expected USING (workload)
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label, job_s, replication
ORDER BY label, unit
