-- Searches among the waiting jobs that ended with a match: the queue behind the job, how many of it are left after each
-- condition, and the place of the chosen one among those, beside Table 5.
-- Parameters: $workloads; $policies; $stages, metrics. Unit: jobs; a replication each.
WITH words (metric, word, step) AS (
    VALUES
        ('mean_looked_at', 'queue', 1), ('mean_medium_long', 'medium or long', 2), ('mean_size_fits', 'size fits', 3),
        ('mean_memory_fits', 'memory fits', 4), ('mean_types_match', 'kinds match', 5), ('mean_slowdown_fits', 'slowdown fits', 6),
        ('mean_rank', 'place of the chosen', 7)
)
SELECT
    p.label || ', ' || w.label || ': ' || word AS label,
    replication AS unit, m.value AS value, printed, printed_digits AS digits
FROM metrics AS m
JOIN words USING (metric)
JOIN printed_values AS q USING (workload, policy, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND metric IN (SELECT unnest($stages))
ORDER BY p.position, list_position($workloads, workload), step, unit
