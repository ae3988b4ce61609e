-- The least difference, over all arrivals of all workloads, between the slots in use and the fewest that could do.
-- Parameters: $policies.
SELECT policies.label, min(slots - fewest) AS value
FROM packing
JOIN policies USING (policy)
WHERE policy IN (SELECT unnest($policies))
GROUP BY policies.label
ORDER BY label
