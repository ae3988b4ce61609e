-- Response time when switching slows the jobs, over that of the same strategy at MPL 1, where nothing is switched; of the
-- instances that all these readings have.
WITH timed AS (
    SELECT cost, workload, policy, unit, value
    FROM under_readings('scojo_gang')
    JOIN (VALUES ('letter', 0), ('slow-03', 3), ('slow-05', 5), ('slow-10', 10)) AS costs (reading, cost) USING (reading)
    WHERE metric = 'mean_response' AND scope = 'all' AND workload LIKE 'huang-_'
)
SELECT
    w.label || ': ' || if(starts_with(a.policy, 'scojo_fcfs'), 'FCFS', 'PRI-B-WA-FA') AS panel, a.cost,
    'MPL ' || (parameters ->> 'level') AS level, avg(a.value / b.value) AS ratio, min(a.value / b.value) AS least,
    max(a.value / b.value) AS most, count(*) AS units
FROM timed AS a JOIN timed AS b USING (workload, unit)
    JOIN workloads AS w USING (workload) JOIN policies AS p ON p.policy = a.policy
WHERE b.cost = 0 AND b.policy IN ('scojo_fcfs_mpl1', 'scojo_pri_b_wa_fa_mpl1')
    AND a.policy IN ('scojo_fcfs', 'scojo_pri_b_wa_fa', 'scojo_pri_b_wa_fa_mpl5')
    AND starts_with(a.policy, replace(b.policy, '_mpl1', ''))
    AND (workload, unit) IN (SELECT (workload, unit) FROM timed WHERE cost = 3)
GROUP BY ALL
ORDER BY panel, level, a.cost
