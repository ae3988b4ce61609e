-- The largest gap between the dynamic competitive ratios of A and B over the arrivals of a sequence, in % of B's.
-- Parameters: $workload; $against, [[A, B]]; $from, first arrival that counts: before it the ratio is a mean of few.
-- Unit of analysis: a sequence of jobs.
SELECT 'largest difference over the arrivals' AS label, a.replication AS unit, 100 * max(abs(a.ratio / b.ratio - 1)) AS value
FROM pairs_of($against) AS pair
JOIN packing AS a ON a.policy = pair.mine
JOIN packing AS b USING (workload, replication, arrival)
WHERE workload = $workload AND b.policy = pair.theirs AND arrival >= $from
GROUP BY ALL
ORDER BY unit
