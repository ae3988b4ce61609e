-- Parts of the jobs of a workload as the paper prints them: by the resource that dominates (share_of_kind), by memory
-- (share_of_memory), or parts of the pairs of CPU-bound jobs, each beside the next, whose computing goes well together (share_of_pairs).
-- Parameters: $workloads; $metric, one of the three. Unit: per cent; a replication each.
WITH parts AS (
    SELECT workload, replication, 'share_of_kind' AS metric, kind AS part FROM behaviours
    UNION ALL
    SELECT
        workload, replication, 'share_of_memory',
        CASE WHEN memory_kb <= 500000 THEN 'to 0.5' WHEN memory_kb < 800000 THEN '0.5 to 0.8' ELSE 'from 0.8' END
    FROM behaviours
    UNION ALL
    SELECT workload, replication, 'share_of_pairs', if((cpu_phase + next) % 1 < 0.33, 'well', 'poorly')
    FROM (
        SELECT *, lead(cpu_phase) OVER (PARTITION BY workload, replication ORDER BY job) AS next
        FROM behaviours WHERE kind = 'cpu'
    ) WHERE next IS NOT NULL
)
SELECT
    w.label || ', ' || q.scope AS label, replication AS unit,
    100 * count(*) FILTER (part = q.scope) / count(*) AS value, any_value(q.printed) AS printed, any_value(q.printed_digits) AS digits
FROM parts
JOIN printed_values AS q USING (workload, metric)
JOIN workloads AS w USING (workload)
WHERE metric = $metric AND workload IN (SELECT unnest($workloads))
GROUP BY workload, w.label, q.scope, replication
ORDER BY list_position($workloads, workload), q.scope, unit
