-- How many more pairs a strategy forms under one workload than under another, replication by replication.
-- Parameters: $policy; $more and $less, the workloads, taken in pairs. Unit: pairs per 100 jobs.
WITH steps AS (SELECT unnest($more) AS more, unnest($less) AS less),
pairs AS (
    SELECT workload, replication, 100 * value / jobs AS share
    FROM run_values JOIN runs USING (workload, policy, replication)
    WHERE metric = 'pairs' AND scope = 'all' AND policy = $policy
)
SELECT w.label || ' against ' || v.label AS label, replication AS unit, a.share - b.share AS value
FROM steps
JOIN pairs AS a ON a.workload = more
JOIN pairs AS b USING (replication)
JOIN workloads AS w ON w.workload = more
JOIN workloads AS v ON v.workload = less
WHERE b.workload = less
ORDER BY list_position($more, more), unit
