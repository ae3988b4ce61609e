-- How the dynamic competitive ratios of A and B compare over the arrivals of a sequence, in %: the largest gap between them, or
-- the share of arrivals at which A's is lower.
-- Parameters: $workload; $against, [[A, B]]; $what: gap or lower; $from, first arrival that counts: before it the ratio is a
-- mean of few. Unit of analysis: a sequence of jobs.
SELECT
    if($what = 'gap', 'largest difference over the arrivals', p.label || ' below ' || v.label) AS label, a.replication AS unit,
    100 * if($what = 'gap', max(abs(a.ratio / b.ratio - 1)), avg((a.ratio < b.ratio)::INTEGER)) AS value
FROM pairs_of($against) AS pair
JOIN packing AS a ON a.policy = pair.mine
JOIN packing AS b USING (workload, replication, arrival)
JOIN policies AS p ON p.policy = pair.mine
JOIN policies AS v ON v.policy = pair.theirs
WHERE workload = $workload AND b.policy = pair.theirs AND arrival >= $from
GROUP BY ALL
ORDER BY unit
