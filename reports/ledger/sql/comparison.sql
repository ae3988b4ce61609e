-- A against B on the same units: two values per unit, whose means have the ratio.
-- Parameters: $against, pairs of policies; $change (ratio, % of, % more, % less); $workloads, $metrics, $scopes; $per; $pooled.
SELECT label, unit, change_of_means($change, value, versus) AS value, versus
FROM compared($against, $workloads, $metrics, $scopes, $per, $pooled)
ORDER BY place, unit
