-- What is measured beside what a source prints, a row per printed value, in its unit.
-- Parameters: $source; $workloads, $policies, $metrics, $scopes.
SELECT
    w.label || ', ' || called || ': ' || p.label || ', ' || split_part(place, ',', 1) AS label,
    unit, value, printed, digits, draws
FROM beside_printed($source)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), list_position($policies, policy),
    list_position($scopes, scope), place, unit
