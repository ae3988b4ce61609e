-- Medium and long jobs of a log in groups, over all of them, beside what the source prints: two values per batch of the log's
-- jobs, whose means have the ratio, in %. The source's number is of as many batches. Parameters: $policy.
WITH candidates AS (
    SELECT workload, batch, count(number) AS grouped, count(*) AS jobs
    FROM jobs
    LEFT JOIN (SELECT workload, policy, replication, job, place AS number FROM members) USING (workload, policy, replication, job)
    WHERE workload LIKE '%-first' AND policy = $policy AND outcome <> 'rejected'
        AND length_class(least(runtime_us, estimate_us) / 1e6) <> 'short'
    GROUP BY ALL
)
SELECT
    w.label AS label, batch AS unit, 100.0 * grouped AS value, candidates.jobs AS versus, p.printed, p.printed_digits AS digits,
    count(*) OVER (PARTITION BY workload) AS draws
FROM candidates
JOIN workloads AS w USING (workload)
JOIN printed_values AS p USING (workload)
WHERE p.source = 'Kanavallil 2007' AND p.metric = 'grouped_share' AND p.policy = $policy
ORDER BY label, unit
