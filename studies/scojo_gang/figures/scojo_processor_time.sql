-- Where the processor time goes, in per cent, means over instances.
WITH spent AS (
    SELECT workload, policy, avg(value) FILTER (metric = 'utilisation') AS busy,
        avg(value) FILTER (metric = 'effective_utilisation') AS effective, avg(value) FILTER (metric = 'fragmentation') AS idle
    FROM run_values WHERE scope = 'all' GROUP BY workload, policy
)
SELECT workload_label, policy, policy_label,
    unnest(['jobs', 'switching and resizing', 'no job']) AS what,
    unnest([100 * effective, 100 * (busy - effective), 100 * idle]) AS share, unnest([1, 2, 3]) AS place
FROM shown JOIN spent USING (workload, policy)
WHERE workload LIKE 'huang-_' AND NOT regexp_matches(policy, '_mpl[0-9]$')
ORDER BY position, place
