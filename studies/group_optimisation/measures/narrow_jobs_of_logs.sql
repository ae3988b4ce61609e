-- Response time of the narrow jobs of a log (at most a tenth of the machine) with ordered groups over that without, on the same jobs:
-- two sums per batch of the log's jobs, whose means have the ratio.
--
-- $policy, $versus: the two schedulers.
SELECT
    w.label || ', ' || class || ' narrow jobs' AS label,
    batch AS unit,
    coalesce(sum(finish_us - submit_us) FILTER (policy = $policy) / 1e6, 0) AS value,
    coalesce(sum(finish_us - submit_us) FILTER (policy = $versus) / 1e6, 0) AS versus
FROM (
    SELECT
        * EXCLUDE (class),
        CASE WHEN least(runtime_us, estimate_us) < 10800e6 THEN 'medium' ELSE 'long' END AS class
    FROM jobs
    WHERE outcome <> 'rejected' AND least(runtime_us, estimate_us) >= 600e6
)
JOIN workloads AS w USING (workload)
WHERE workload LIKE '%-first' AND policy IN ($policy, $versus) AND size * 10 <= w.processors
GROUP BY w.label, class, batch
HAVING count(DISTINCT policy) = 2
ORDER BY label, unit
