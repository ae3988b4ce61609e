-- Processors x run time of the tasks of a workflow over those of the job that was split, at 26 %: the least and the most of all.
-- Exact.
WITH split AS (
    SELECT replication, workflow AS job, sum(size * runtime_us::HUGEINT) AS work_us
    FROM tasks JOIN jobs USING (workload, replication, job)
    WHERE workload = 'p-26' AND policy = 'grid_relaxed'
    GROUP BY ALL
)
SELECT
    unnest(['Least', 'Most']) AS label,
    unnest([min(work_us / (size * runtime_us::HUGEINT)), max(work_us / (size * runtime_us::HUGEINT))]) AS value
FROM split JOIN jobs USING (replication, job)
WHERE workload = 'p-0' AND policy = 'no-workflows'
HAVING count(*) > 0
