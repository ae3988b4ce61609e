-- The largest slowdown by the formula of a strategy, memory aside, where all computing competes (a factor of 2): of each job
-- beside its equal, and of each job beside the next. Parameters: $policy; $workloads. Unit: none.
WITH formula AS (SELECT parameters ->> 'slowdown' AS name FROM policies WHERE policy = $policy),
shared AS (
    SELECT workload, 'each job beside its equal' AS what, cpu AS c, network AS n, disk AS d FROM behaviours
    UNION ALL
    SELECT workload, 'each job beside the next', least(cpu, lead(cpu) OVER jobs), least(network, lead(network) OVER jobs),
        least(disk, lead(disk) OVER jobs)
    FROM behaviours WINDOW jobs AS (PARTITION BY workload, replication ORDER BY job)
)
SELECT
    w.label || ', ' || what AS label,
    round(max(CASE name WHEN 'unshared_counted' THEN 1 + c + n + d WHEN 'printed_raw' THEN 2 * (c + n + d)
        ELSE greatest(1, 2 * (c + n + d)) END), 9) AS value
FROM shared CROSS JOIN formula JOIN workloads AS w USING (workload)
WHERE workload IN (SELECT unnest($workloads))
GROUP BY workload, w.label, what
ORDER BY list_position($workloads, workload), what
