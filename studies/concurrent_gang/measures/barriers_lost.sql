-- Barriers that the jobs of the worked example pass under B and not under A, in the same time. Exact.
-- Parameters: $against, pairs of schedulers; $workload. Unit: barriers.
WITH passed AS (
    SELECT policy, sum(barriers)::DOUBLE AS barriers FROM application_sums WHERE workload = $workload GROUP BY policy
)
SELECT over(p.label, v.label) AS label, b.barriers - a.barriers AS value
FROM pairs_of($against) AS pair
JOIN passed AS a ON a.policy = pair.mine
JOIN passed AS b ON b.policy = pair.theirs
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
ORDER BY pair.place
