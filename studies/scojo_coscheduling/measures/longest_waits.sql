-- The longest time from submission to start of a job of a class under one strategy, over that under another, on the same jobs.
-- Parameters: $workloads; $classes; $policy; $versus. Unit: none (ratio of means over draws).
WITH longest AS (
    SELECT workload, policy, replication, class, max(start_us - submit_us)::DOUBLE AS wait_us
    FROM jobs
    WHERE workload IN (SELECT unnest($workloads)) AND class IN (SELECT unnest($classes)) AND policy IN ($policy, $versus)
    GROUP BY ALL
)
SELECT
    w.label || ', longest wait of ' || class || ' jobs: ' || p.label || ' over ' || v.label AS label,
    a.replication AS unit, a.wait_us AS value, b.wait_us AS versus
FROM longest AS a
JOIN longest AS b USING (workload, replication, class)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE a.policy = $policy AND b.policy = $versus
ORDER BY w.label, class, unit
