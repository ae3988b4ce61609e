-- By how much more one pair of schedulers differ than another pair do, in the same jobs: a value per draw of the synthetic
-- workloads, in points of %.
--
-- $metric, $scopes: what is averaged, over which jobs. $policy, $versus: the pair. $other_policy, $other_versus: the other pair.
SELECT
    upper(scope[1]) || scope[2:] || ' jobs' AS label,
    workload || '/' || replication AS unit,
    100 * (o.ratio - s.ratio) AS value
FROM run_ratios AS s JOIN run_ratios AS o USING (workload, replication, metric, scope)
WHERE
    workload LIKE 'seed-%' AND metric = $metric AND scope IN (SELECT unnest($scopes))
    AND s.policy = $policy AND s.versus_policy = $versus
    AND o.policy = $other_policy AND o.versus_policy = $other_versus
ORDER BY list_position($scopes, scope), unit
