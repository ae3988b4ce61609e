-- The dynamic competitive ratio after all arrivals over that after the first of them.
-- Parameters: $workload; $policies; $after: arrivals after which growth is looked for. Unit of analysis: a sequence of jobs.
SELECT policies.label, replication AS unit, arg_max(ratio, arrival) AS value, arg_min(ratio, arrival) AS versus
FROM packing
JOIN policies USING (policy)
WHERE workload = $workload AND policy IN (SELECT unnest($policies)) AND arrival >= $after
GROUP BY ALL
ORDER BY label, unit
