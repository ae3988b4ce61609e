-- Groups of medium less groups of long jobs on a log: a value per batch of its jobs.
-- Parameters: $workload, a log; $policy.
SELECT 'Groups of medium less groups of long jobs, per batch' AS label, batch AS unit, groups_medium - groups_long AS value
FROM batch_groups
WHERE workload = $workload AND policy = $policy
ORDER BY unit
