-- Metrics themselves, over $divisor (0.01: in per cent).
-- Parameters: $workloads, $policies, $metrics, $scopes; $per; $divisor; $pooled.
SELECT
    if($pooled = '', w.label, $pooled) || ', ' || called || ': ' || p.label AS label,
    if($pooled = '', unit::VARCHAR, workload || '/' || unit) AS unit, value / $divisor AS value
FROM measured($per)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), list_position($policies, policy),
    list_position($scopes, scope), unit
