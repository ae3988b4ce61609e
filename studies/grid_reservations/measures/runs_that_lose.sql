-- Runs in which at least so many points of utilisation are lost against the same draw without workflows, over all runs.
-- Parameters: $metric, the window; $policies; $workloads; $scopes (all clusters, or each: then clusters of runs are counted);
-- $points. Unit: per cent. Exact.
SELECT
    if($scopes = ['all'], 'Runs', 'Clusters of runs') || ' that lose ' || $points || ' points or more' AS label,
    100 * count(*) FILTER (100 * (versus - value) >= $points) / count(*) AS value
FROM against(
    list_transform($policies, lambda name: [name, 'no-workflows']), list_transform($workloads, lambda name: [name, 'p-0']),
    [[$metric, $metric]], list_transform($scopes, lambda name: [name, name]), 'run'
)
HAVING count(*) > 0
