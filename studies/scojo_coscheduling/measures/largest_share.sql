-- The largest share that any job is assigned, over all draws. Exact.
-- Parameters: $workloads; $policies. Unit: per cent of every processor.
SELECT w.label || ': ' || p.label AS label, max(most_ppm) / 1e4 AS value
FROM assigned_shares
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label
ORDER BY label
