-- By how much more A differs from B than C does from D: a difference of two changes per unit.
-- Parameters: as of ratio_of_ratios.sql; $change, of one unit (mean % more, mean % less, ...). Unit: points.
SELECT
    m.label || ', less ' || n.label AS label, unit,
    change_of_unit($change, m.value, m.versus, m.better) - change_of_unit($change, n.value, n.versus, n.better) AS value
FROM compared($against, ours($workloads), ours($metrics), ours($scopes), 'run', $pooled) AS m
JOIN compared($than, theirs($workloads), theirs($metrics), theirs($scopes), 'run', $pooled) AS n USING (place, unit)
ORDER BY place, unit
