-- Groups on the logs, beside those the source prints: a value per batch of a log's jobs (a group belongs to the batch of its
-- first member), times the batches, so that the mean is the number of groups. The source's number is of as many batches.
-- Parameters: $policy.
WITH first_members AS (
    SELECT workload, replication, job, class
    FROM members JOIN groups USING (workload, policy, replication, cluster, group_number)
    WHERE policy = $policy AND place = 1
),
counted AS (
    SELECT
        workload, batch,
        unnest(['groups', 'groups_medium', 'groups_long']) AS metric,
        unnest([count(f.class), count(*) FILTER (f.class = 'medium'), count(*) FILTER (f.class = 'long')]) AS groups
    FROM jobs LEFT JOIN first_members AS f USING (workload, replication, job)
    WHERE workload LIKE '%-first' AND policy = $policy
    GROUP BY workload, batch
),
batches AS (SELECT workload, count(DISTINCT batch) AS batches FROM counted GROUP BY workload)
SELECT
    w.label
    || CASE metric WHEN 'groups' THEN ', groups' WHEN 'groups_medium' THEN ', groups of medium jobs' ELSE ', groups of long jobs' END
        AS label,
    batch AS unit,
    groups * batches AS value,
    p.printed, p.printed_digits AS digits, batches AS draws
FROM counted
JOIN batches USING (workload)
JOIN workloads AS w USING (workload)
JOIN printed_values AS p USING (workload, metric)
WHERE p.source = 'Kanavallil 2007' AND p.policy = $policy
ORDER BY w.label, list_position(['groups', 'groups_medium', 'groups_long'], metric), unit
