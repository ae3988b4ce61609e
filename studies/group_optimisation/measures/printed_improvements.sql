-- How much lower the mean bounded slowdown of a class is with ordered groups, beside what the source prints for single
-- workloads: a value per draw, in %. Where it speaks of the most of a class, that is the largest over the widths of its jobs.
WITH ratios AS (
    SELECT workload, workload_label, replication, scope, split_part(scope, ' ', 1) AS class, 100 * (1 - ratio) AS gain
    FROM run_ratios
    WHERE metric = 'mean_bounded_slowdown_600' AND policy = 'pect_o' AND versus_policy = 'pect'
        AND workload LIKE 'seed-%' AND NOT starts_with(scope, 'any')
),
found AS (
    SELECT workload, workload_label, replication, scope, gain FROM ratios
    UNION ALL
    SELECT workload, workload_label, replication, 'most of ' || class, max(gain)
    FROM ratios WHERE contains(scope, ' ') GROUP BY ALL
)
SELECT
    workload_label || ', ' || replace(scope, 'long medium', 'long, medium width,') || ' jobs' AS label,
    replication AS unit, gain AS value, p.printed, p.printed_digits AS digits, p.printed_draws AS draws
FROM found JOIN printed_values AS p USING (workload, scope)
WHERE p.source = 'Kanavallil 2007' AND p.metric = 'improvement'
ORDER BY label, unit
