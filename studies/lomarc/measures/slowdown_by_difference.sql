-- Mean slowdown, by the formula of a strategy and memory aside, of the half of the pairs whose jobs share less of their time,
-- less that of the other half. Pairs are each job beside the next. Parameters: $policy; $workloads. Unit: none; a replication each.
WITH formula AS (SELECT parameters ->> 'slowdown' AS name FROM policies WHERE policy = $policy),
shared AS (
    SELECT
        workload, replication, if((cpu_phase + lead(cpu_phase) OVER jobs) % 1 < 0.33, 1.4, 2) AS factor,
        least(cpu, lead(cpu) OVER jobs) AS c, least(network, lead(network) OVER jobs) AS n, least(disk, lead(disk) OVER jobs) AS d
    FROM behaviours WINDOW jobs AS (PARTITION BY workload, replication ORDER BY job)
),
slowed AS (
    SELECT
        workload, replication, ntile(2) OVER (PARTITION BY workload, replication ORDER BY c + n + d) AS half,
        CASE name WHEN 'unshared_counted' THEN 1 + (factor - 1) * c + n + d WHEN 'printed_raw' THEN factor * c + 2 * n + 2 * d
            ELSE greatest(1, factor * c + 2 * n + 2 * d) END AS slowdown
    FROM shared CROSS JOIN formula WHERE c IS NOT NULL
)
SELECT w.label AS label, replication AS unit, avg(slowdown) FILTER (half = 1) - avg(slowdown) FILTER (half = 2) AS value
FROM slowed JOIN workloads AS w USING (workload)
WHERE workload IN (SELECT unnest($workloads))
GROUP BY workload, w.label, replication
ORDER BY list_position($workloads, workload), unit
