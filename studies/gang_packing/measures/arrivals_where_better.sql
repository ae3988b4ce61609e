-- Share of arrivals at which one packing has the lower dynamic competitive ratio, in %.
-- Parameters: $workload; $policy, $versus: the packing that is to be lower, and the other one; $from: first arrival that counts:
-- before it the ratio is a mean of few. Unit of analysis: a sequence of jobs.
SELECT
    'best fit below first fit' AS label, replication AS unit,
    100 * avg(CASE WHEN p.ratio < v.ratio THEN 1 ELSE 0 END) AS value
FROM packing AS p
JOIN packing AS v USING (workload, replication, arrival)
WHERE workload = $workload AND p.policy = $policy AND v.policy = $versus AND arrival >= $from
GROUP BY replication
ORDER BY unit
