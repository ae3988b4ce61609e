-- How much shorter the mean response time of a class of jobs is under a strategy than under another, on the same jobs. Classes
-- as the scheduler has them: estimates of up to a minute, up to an hour, beyond.
-- Parameters: $workloads; $classes (short, medium, long); $policy; $versus. Unit: per cent; a replication each.
WITH means AS (
    SELECT
        workload, policy, replication,
        CASE WHEN estimate_us <= 60e6 THEN 'short' WHEN estimate_us <= 3600e6 THEN 'medium' ELSE 'long' END AS of_class,
        avg(finish_us - submit_us) AS response_us
    FROM jobs
    WHERE outcome <> 'rejected' AND workload IN (SELECT unnest($workloads)) AND policy IN ($policy, $versus)
    GROUP BY ALL
)
SELECT
    w.label || ', ' || of_class || ' jobs: ' || p.label || ' over ' || v.label AS label,
    replication AS unit, 100 * (1 - a.response_us / b.response_us) AS value
FROM means AS a
JOIN means AS b USING (workload, replication, of_class)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE a.policy = $policy AND b.policy = $versus AND of_class IN (SELECT unnest($classes))
ORDER BY list_position($workloads, workload), list_position($classes, of_class), unit
