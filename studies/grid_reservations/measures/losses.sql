-- Points of utilisation that runs lose against the same draw without workflows. Exact.
-- Parameters: $metric, the window; $policies; $workloads; $scopes (all clusters, or each); $what: most (the largest loss, in
-- points) or share (of the runs, or of their clusters, that lose $points or more, in per cent).
SELECT
    CASE WHEN $what = 'most' THEN 'Largest loss' ELSE
        if($scopes = ['all'], 'Runs', 'Clusters of runs') || ' that lose ' || $points || ' points or more' END AS label,
    if($what = 'most', max(100 * (versus - value)), 100 * count(*) FILTER (100 * (versus - value) >= $points) / count(*)) AS value
FROM against(
    list_transform($policies, lambda name: [name, 'no-workflows']), list_transform($workloads, lambda name: [name, 'p-0']),
    [[$metric, $metric]], list_transform($scopes, lambda name: [name, name]), 'run'
)
HAVING count(*) > 0
