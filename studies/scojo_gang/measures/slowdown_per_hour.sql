-- Bounded slowdown over response time under FCFS, beside the same of the values the thesis prints for one instance. All jobs wait
-- about equally long there, so it is the mean over jobs of one over their run time, those below a minute counted as a minute.
-- Parameters: $workloads. Unit: per hour (ratio of means over instances).
WITH quoted AS (
    SELECT workload, policy, place LIKE 'figure 7-1%' AS first_instance, metric, value FROM printed_values
    WHERE source = 'Huang 2004' AND scope = 'all' AND metric IN ('mean_response', 'mean_relative_response')
)
SELECT
    w.label || ', ' || p.label || if(mine.first_instance, ', figure 7-1', ', figures 7-2 and 7-3') AS label,
    replication AS unit, a.value AS value, b.value / 3600 AS versus, mine.value / (theirs.value / 3600) AS printed
FROM quoted AS mine
JOIN quoted AS theirs USING (workload, policy, first_instance)
JOIN run_values AS a USING (workload, policy)
JOIN run_values AS b USING (workload, policy, replication, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE scope = 'all' AND mine.metric = 'mean_relative_response' AND theirs.metric = 'mean_response'
    AND a.metric = 'mean_relative_response' AND b.metric = 'mean_response'
    AND policy LIKE 'scojo_fcfs%' AND workload IN (SELECT unnest($workloads))
ORDER BY label, unit
