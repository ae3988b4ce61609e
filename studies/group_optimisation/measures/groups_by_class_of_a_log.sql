-- Groups of medium less groups of long jobs on a log: a value per batch of its jobs (a group belongs to the batch of its first
-- member).
-- Parameters: $workload, a log; $policy.
WITH first_members AS (
    SELECT job, class FROM members JOIN groups USING (workload, policy, replication, cluster, group_number)
    WHERE workload = $workload AND policy = $policy AND place = 1
)
SELECT
    'Groups of medium less groups of long jobs, per batch' AS label,
    batch AS unit,
    count(*) FILTER (f.class = 'medium') - count(*) FILTER (f.class = 'long') AS value
FROM jobs LEFT JOIN first_members AS f USING (job)
WHERE workload = $workload AND policy = $policy
GROUP BY batch
ORDER BY unit
