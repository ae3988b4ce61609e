-- By how much more some jobs improve than others do, under one scheduler against another on the same jobs: a value per draw of
-- the synthetic workloads, in points of %.
--
-- $metric: what is averaged. $scopes, $others: the jobs and those they are compared with, pair by pair. $policy, $versus: the
-- two schedulers.
WITH pairs AS (SELECT unnest($scopes) AS scope, unnest($others) AS other)
SELECT
    upper(scope[1]) || scope[2:] || ' jobs less ' || other || ' ones' AS label,
    workload || '/' || s.replication AS unit,
    100 * (o.ratio - s.ratio) AS value
FROM pairs
JOIN run_ratios AS s USING (scope)
JOIN run_ratios AS o USING (workload, replication, metric, policy, versus_policy)
WHERE
    o.scope = pairs.other AND workload LIKE 'seed-%' AND metric = $metric
    AND policy = $policy AND versus_policy = $versus
ORDER BY list_position($scopes, pairs.scope), other, unit
