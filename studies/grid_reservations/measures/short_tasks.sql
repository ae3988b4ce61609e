-- Tasks of less than 600 s over all tasks at 26 %. Exact. Unit: per cent.
SELECT 'Short tasks' AS label, 100 * count(*) FILTER (runtime_us < 600e6) / count(*) AS value
FROM tasks JOIN jobs USING (workload, replication, job)
WHERE workload = 'p-26' AND policy = 'grid_relaxed'
HAVING count(*) > 0
