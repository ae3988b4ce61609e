-- How much a queue by priority favours short jobs: bounded slowdown of long jobs over that of short ones under one strategy,
-- over the same under another that differs in the order of the queue alone.
-- Parameters: $workloads; $policy; $versus. Unit: none (ratio of means over instances).
WITH favours AS (
    SELECT
        workload, policy, replication,
        any_value(value) FILTER (scope = 'class=long') / any_value(value) FILTER (scope = 'class=short') AS favour
    FROM run_values WHERE metric = 'mean_relative_response' AND workload IN (SELECT unnest($workloads))
    GROUP BY ALL
)
SELECT
    w.label || ': slowdown of long over short jobs under ' || p.label || ', over that under ' || v.label AS label,
    replication AS unit, a.favour AS value, b.favour AS versus
FROM favours AS a
JOIN favours AS b USING (workload, replication)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
WHERE a.policy = $policy AND b.policy = $versus
