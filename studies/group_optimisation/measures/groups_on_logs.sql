-- Groups on the logs, beside those the source prints: a value per batch of a log's jobs, times the batches, so that the mean is
-- the number of groups. The source's number is of as many batches. Parameters: $policy.
WITH counted AS (
    SELECT
        workload, batch, count(*) OVER (PARTITION BY workload) AS batches,
        unnest(['groups', 'groups_medium', 'groups_long']) AS metric, unnest([groups, groups_medium, groups_long]) AS groups
    FROM batch_groups WHERE workload LIKE '%-first' AND policy = $policy
)
SELECT
    w.label || CASE metric WHEN 'groups' THEN ', groups' ELSE ', groups of ' || replace(metric, 'groups_', '') || ' jobs' END AS label,
    batch AS unit, groups * batches AS value, p.printed, p.printed_digits AS digits, batches AS draws
FROM counted
JOIN workloads AS w USING (workload)
JOIN printed_values AS p USING (workload, metric)
WHERE p.source = 'Kanavallil 2007' AND p.policy = $policy
ORDER BY w.label, list_position(['groups', 'groups_medium', 'groups_long'], metric), unit
