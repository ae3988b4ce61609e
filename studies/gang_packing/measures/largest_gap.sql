-- The largest difference between the dynamic competitive ratios of two packings over the arrivals of a sequence, in %.
-- Parameters: $workload; $policy, $versus: the two packings; $from: first arrival that counts: before it the ratio is a mean of
-- few. Unit of analysis: a sequence of jobs.
SELECT
    'largest difference over the arrivals' AS label, replication AS unit,
    100 * max(abs(p.ratio / v.ratio - 1)) AS value
FROM packing AS p
JOIN packing AS v USING (workload, replication, arrival)
WHERE workload = $workload AND p.policy = $policy AND v.policy = $versus AND arrival >= $from
GROUP BY replication
ORDER BY unit
