-- Response time when switching slows the jobs, over that of the same strategy at MPL 1, where nothing is switched; of the
-- instances that all these readings have.
WITH costs (reading, cost) AS (VALUES ('letter', 0), ('slow-03', 3), ('slow-05', 5), ('slow-10', 10)),
timed AS (
    SELECT cost, c.workload, c.policy, replication, value
    FROM main.reading_cells AS c JOIN costs USING (reading)
        JOIN main.run_values AS m ON m.workload = cell_workload AND m.policy = cell_policy
    WHERE study = 'scojo_gang' AND metric = 'mean_response' AND scope = 'all' AND c.workload LIKE 'huang-_'
), compared AS (
    SELECT w.label || ': ' || if(starts_with(a.policy, 'scojo_fcfs'), 'FCFS', 'PRI-B-WA-FA') AS panel, a.cost,
        'MPL ' || (parameters ->> 'level') AS level, avg(a.value / b.value) AS ratio, min(a.value / b.value) AS least,
        max(a.value / b.value) AS most, count(*) AS units
    FROM timed AS a JOIN timed AS b USING (workload, replication)
        JOIN workloads AS w USING (workload) JOIN policies AS p ON p.policy = a.policy
    WHERE b.cost = 0 AND b.policy IN ('scojo_fcfs_mpl1', 'scojo_pri_b_wa_fa_mpl1')
        AND a.policy IN ('scojo_fcfs', 'scojo_pri_b_wa_fa', 'scojo_pri_b_wa_fa_mpl5')
        AND starts_with(a.policy, replace(b.policy, '_mpl1', ''))
        AND (workload, replication) IN (SELECT (workload, replication) FROM timed WHERE cost = 3)
    GROUP BY ALL
)
FROM compared
ORDER BY panel, level, cost
