-- Processor time that reconfigurations take from the adaptive strategies, less the rest of their distance to others in effective
-- utilisation; above 0, the cost is most of the distance.
-- Parameters: $workloads; $policies, adaptive strategies; $others. Unit: points of the processor time.
WITH used AS (
    SELECT
        workload, replication,
        avg(value) FILTER (policy IN (SELECT unnest($others))) - avg(value) FILTER (policy IN (SELECT unnest($policies))) AS distance
    FROM run_values
    WHERE metric = 'effective_utilisation' AND scope = 'all' AND workload IN (SELECT unnest($workloads))
    GROUP BY workload, replication
    HAVING count(*) FILTER (policy IN (SELECT unnest($policies))) = len($policies)
        AND count(*) FILTER (policy IN (SELECT unnest($others))) = len($others)
),
spent AS (
    SELECT workload, replication, avg((counters ->> 'resizing_us')::DOUBLE / (processors * value * 1e6)) AS cost
    FROM runs
    JOIN run_values USING (workload, policy, replication)
    JOIN workloads USING (workload)
    WHERE metric = 'makespan' AND scope = 'all' AND policy IN (SELECT unnest($policies))
    GROUP BY workload, replication
)
SELECT label || ': lost to reconfigurations, less the rest of the distance' AS label, replication AS unit,
    100 * (cost - abs(distance - cost)) AS value
FROM used
JOIN spent USING (workload, replication)
JOIN workloads USING (workload)
ORDER BY label, unit
