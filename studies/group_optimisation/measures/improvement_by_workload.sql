-- How much lower a mean of some jobs is under one scheduler than under another, on the same jobs, workload by workload: a value
-- per draw, in %.
--
-- $metric, $scopes: what is averaged, over which jobs. $workloads: ids. $policy, $versus: the two schedulers.
SELECT
    workload_label || if(len($scopes) = 1, '', ', ' || scope || ' jobs') AS label,
    replication AS unit,
    100 * (1 - ratio) AS value
FROM run_ratios
WHERE
    workload IN (SELECT unnest($workloads)) AND metric = $metric AND scope IN (SELECT unnest($scopes))
    AND policy = $policy AND versus_policy = $versus
ORDER BY list_position($workloads, workload), list_position($scopes, scope), unit
