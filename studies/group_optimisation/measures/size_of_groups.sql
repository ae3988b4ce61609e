-- Jobs in a group, beside what Table 7 implies (the share in groups of the medium and long jobs, over the groups): a value per draw.
WITH implied AS (
    SELECT
        workload,
        any_value(value) FILTER (metric = 'grouped_share') / any_value(value) FILTER (metric = 'groups') AS share
    FROM printed_values
    WHERE source = 'Kanavallil 2007' AND policy = 'pect_o' AND workload LIKE 'seed-%'
    GROUP BY workload
),
candidates AS (
    SELECT workload, sum(jobs) / count(DISTINCT replication) AS jobs
    FROM characteristics WHERE class IN ('medium', 'long') GROUP BY workload
)
SELECT w.label AS label, replication AS unit, m.value, round(share * candidates.jobs, 1) AS printed
FROM implied
JOIN candidates USING (workload)
JOIN run_values AS m USING (workload)
JOIN workloads AS w USING (workload)
WHERE m.policy = 'pect_o' AND m.metric = 'mean_group_size'
ORDER BY label, unit
