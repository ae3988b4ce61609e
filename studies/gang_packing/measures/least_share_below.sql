-- The share of arrivals at which A's dynamic competitive ratio is lower than B's, in the sequence in which it is least, in %. Exact.
-- Parameters: $workload; $against, [[A, B]]; $from, first arrival that counts: before it the ratio is a mean of few.
SELECT p.label || ' below ' || v.label AS label, min(share) AS value
FROM (
    SELECT pair.mine, pair.theirs, replication, 100 * avg((a.ratio < b.ratio)::INTEGER) AS share
    FROM pairs_of($against) AS pair
    JOIN packing AS a ON a.policy = pair.mine
    JOIN packing AS b USING (workload, replication, arrival)
    WHERE workload = $workload AND b.policy = pair.theirs AND arrival >= $from
    GROUP BY ALL
)
JOIN policies AS p ON p.policy = mine
JOIN policies AS v ON v.policy = theirs
GROUP BY ALL
