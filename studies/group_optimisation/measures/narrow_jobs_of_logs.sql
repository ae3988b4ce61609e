-- Response time of the narrow jobs of a log (at most a tenth of the machine) with ordered groups over that without, on the same
-- jobs: two sums per batch of the log's jobs, whose means have the ratio.
-- Parameters: $policy, $versus.
SELECT
    w.label || ', ' || class || ' narrow jobs' AS label, batch AS unit,
    coalesce(sum(finish_us - submit_us) FILTER (policy = $policy) / 1e6, 0) AS value,
    coalesce(sum(finish_us - submit_us) FILTER (policy = $versus) / 1e6, 0) AS versus
FROM (
    SELECT
        * EXCLUDE (class),
        length_class(least(runtime_us, estimate_us) / 1e6) AS class
    FROM jobs WHERE outcome <> 'rejected' AND length_class(least(runtime_us, estimate_us) / 1e6) <> 'short'
)
JOIN workloads AS w USING (workload)
WHERE workload LIKE '%-first' AND policy IN ($policy, $versus) AND width_class(size, w.processors) = 'narrow'
GROUP BY w.label, class, batch
HAVING count(DISTINCT policy) = 2
ORDER BY label, unit
