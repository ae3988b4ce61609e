-- How much lower a mean over all workflows is under a policy than under another, in the mean of some workloads.
-- Parameters: $metric; $policy; $versus; $workloads. Unit: per cent; a draw of all workloads each.
SELECT
    'Mean of ' || if(count(*) = 1, any_value(w.label), count(*) || ' shares') AS label,
    m.replication AS unit, avg(100 * (1 - m.value / n.value)) AS value
FROM metrics AS m
JOIN metrics AS n USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND metric = $metric AND scope = 'all' AND workload IN (SELECT unnest($workloads))
GROUP BY m.replication
ORDER BY unit
