-- Bounded slowdown of a class of a log's jobs with ordered groups, over what it would be if ordering groups changed it as it
-- does in the synthetic workloads in the mean: two sums per batch of the log's jobs, whose means have the ratio. Above 1: the
-- log gains less. (The mean over the synthetic workloads is taken as known; it rests on many more jobs.)
-- Parameters: $scopes: the classes; $policy, $versus.
WITH seeds AS (
    SELECT scope, avg(ratio) AS ratio
    FROM run_ratios
    WHERE workload LIKE 'seed-%' AND metric = 'mean_bounded_slowdown_600' AND scope IN (SELECT unnest($scopes))
        AND policy = $policy AND versus_policy = $versus
    GROUP BY scope
),
classes AS (
    SELECT workload, policy, unit, scope, mean.value * jobs.value AS slowdown
    FROM independent_measurements AS mean JOIN independent_measurements AS jobs USING (workload, policy, unit, scope)
    WHERE mean.metric = 'mean_bounded_slowdown_600' AND jobs.metric = 'jobs'
        AND workload LIKE '%-first' AND policy IN ($policy, $versus)
)
SELECT
    w.label || ', ' || scope || ' jobs' AS label, unit,
    coalesce(any_value(slowdown) FILTER (policy = $policy), 0) AS value,
    coalesce(any_value(slowdown) FILTER (policy = $versus), 0) * any_value(ratio) AS versus
FROM classes JOIN seeds USING (scope) JOIN workloads AS w USING (workload)
GROUP BY w.label, scope, unit
HAVING count(DISTINCT policy) = 2
ORDER BY label, unit
