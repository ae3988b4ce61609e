-- Jobs that are in the matrix when another one arrives: the median over the arrivals of a sequence.
-- Parameters: $workload; $policies. Unit of analysis: a sequence of jobs.
SELECT policies.label, replication AS unit, median(present) AS value
FROM packing
JOIN policies USING (policy)
WHERE workload = $workload AND policy IN (SELECT unnest($policies))
GROUP BY ALL
ORDER BY label, unit
