-- Work left at the last submission over the processors of all clusters, less that of the same draw without workflows: a mean per
-- draw over the runs that lose utilisation. Time that processors are held counts as work.
-- Parameters: $policies; $workloads; $points of utilisation that a run loses at least. Unit: hours of all clusters; a draw each.
WITH left_over AS (
    SELECT
        workload, policy, replication,
        (sum(busy_us) - sum(busy_while_submitting_us)) / sum(processors) / 3.6e9 AS hours
    FROM cluster_use JOIN clusters USING (workload, cluster)
    GROUP BY workload, policy, replication
)
SELECT 'Runs that lose ' || $points || ' points or more' AS label, unit, avg(m.hours - n.hours) AS value
FROM against(
    list_transform($policies, lambda name: [name, 'no-workflows']), list_transform($workloads, lambda name: [name, 'p-0']),
    [['utilisation', 'utilisation']], [['all', 'all']], 'run'
) AS a
JOIN left_over AS m ON m.workload = a.workload AND m.policy = a.policy AND m.replication = a.unit
JOIN left_over AS n ON n.workload = a.versus_workload AND n.policy = a.versus_policy AND n.replication = a.unit
WHERE 100 * (versus - value) >= $points
GROUP BY unit
ORDER BY unit
