-- A over B beside the ratio of the two values that a source prints: two values per unit, whose means have the ratio.
-- Parameters: $source; $against, pairs of policies; $workloads, $metrics, $scopes. Unit: none.
WITH quoted AS (FROM printed_values WHERE source = $source)
SELECT c.label, unit, c.value, c.versus, mine.value / theirs.value AS printed
FROM compared($against, $workloads, $metrics, $scopes, 'run', '') AS c
JOIN quoted AS mine USING (workload, policy, metric, scope)
JOIN quoted AS theirs ON
    theirs.workload = c.versus_workload AND theirs.policy = c.versus_policy AND theirs.metric = c.versus_metric AND theirs.scope = c.versus_scope
ORDER BY c.place, unit
