-- Jobs that use a resource, two resources together, or memory for less or for more than section 6.1 says of their kind. Ends of
-- ranges count as inside. Parameters: $workloads. Unit: jobs.
WITH ranges (kind, resource, least, most) AS (
    VALUES ('cpu', 'cpu', 0.5, 0.9), ('cpu', 'disk', 0.05, 0.4), ('cpu', 'cpu + disk', 0.6, 0.95),
        ('disk', 'disk', 0.4, 0.65), ('disk', 'network', 0.05, 0.4), ('disk', 'disk + network', 0.5, 0.8),
        ('network', 'network', 0.4, 0.65), ('network', 'disk', 0.05, 0.4), ('network', 'disk + network', 0.5, 0.8)
),
used AS (
    SELECT workload, kind, resource, used FROM (
        SELECT workload, kind, cpu, disk, network, cpu + disk AS "cpu + disk", disk + network AS "disk + network" FROM behaviours
    ) UNPIVOT (used FOR resource IN (cpu, disk, network, "cpu + disk", "disk + network"))
),
counted AS (
    SELECT workload, kind || ': ' || resource AS what, count(*) FILTER (used < least OR used > most) AS value
    FROM used JOIN ranges USING (kind, resource)
    GROUP BY ALL
    UNION ALL
    SELECT workload, 'memory', count(*) FILTER (memory_kb < 50000 OR memory_kb > 1000000) FROM behaviours GROUP BY ALL
)
SELECT w.label || ', ' || what AS label, value::DOUBLE AS value
FROM counted JOIN workloads AS w USING (workload)
WHERE workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), what
