-- How far two sequences of one model are apart: the largest difference of their dynamic competitive ratios, in %.
-- Parameters: $workload; $policies; $after: arrivals after which it is looked for. Unit of analysis: a pair of sequences, the
-- first with the second, the third with the fourth, and so on.
SELECT policies.label, a.replication // 2 AS unit, 100 * max(abs(b.ratio / a.ratio - 1)) AS value
FROM packing AS a
JOIN packing AS b USING (workload, policy, arrival)
JOIN policies USING (policy)
WHERE workload = $workload AND policy IN (SELECT unnest($policies)) AND arrival > $after
    AND a.replication % 2 = 0 AND b.replication = a.replication + 1
GROUP BY ALL
ORDER BY label, unit
