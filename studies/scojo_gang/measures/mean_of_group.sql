-- Mean over some strategies, over the mean over others, on the same jobs.
-- Parameters: $workloads; $metric; $policies; $others; $called, what is compared in words. Unit: none (ratio of means).
SELECT
    w.label || ': ' || $called AS label, replication AS unit,
    avg(value) FILTER (policy IN (SELECT unnest($policies))) AS value,
    avg(value) FILTER (policy IN (SELECT unnest($others))) AS versus
FROM run_values
JOIN workloads AS w USING (workload)
WHERE scope = 'all' AND metric = $metric AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, replication
HAVING count(*) FILTER (policy IN (SELECT unnest($policies))) = len($policies)
    AND count(*) FILTER (policy IN (SELECT unnest($others))) = len($others)
