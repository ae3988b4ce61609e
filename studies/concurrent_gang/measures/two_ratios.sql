-- The ratio of two policies in one metric over their ratio in another: below 1, they differ less in the first.
-- Parameters: $metric and $other; $policy and $versus; $workloads. Unit: none; a replication each.
WITH ratios AS (
    SELECT workload, replication, metric, a.value / b.value AS ratio
    FROM metrics AS a JOIN metrics AS b USING (workload, replication, metric, scope)
    WHERE a.policy = $policy AND b.policy = $versus AND scope = 'all'
)
SELECT w.label, replication AS unit, m.ratio AS value, n.ratio AS versus
FROM ratios AS m
JOIN ratios AS n USING (workload, replication)
JOIN workloads AS w USING (workload)
WHERE m.metric = $metric AND n.metric = $other AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
