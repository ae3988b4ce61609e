-- A over B, over C over D: two ratios per unit, whose means have the ratio.
-- Parameters: $against, pairs of policies A and B; $than, the pairs C and D (the same where it is not given); $workloads,
-- $metrics, $scopes: pairs, the first of each for A and B, the second for C and D; $pooled.
SELECT m.label || ', over ' || n.label AS label, unit, m.value / m.versus AS value, n.value / n.versus AS versus
FROM compared($against, ours($workloads), ours($metrics), ours($scopes), 'run', $pooled) AS m
JOIN compared($than, theirs($workloads), theirs($metrics), theirs($scopes), 'run', $pooled) AS n USING (place, unit)
ORDER BY place, unit
