-- Pairs that the rules forbid, over all runs: with a job whose estimate is at most a minute, and with a believed slowdown above 1.6.
-- Parameters: $workloads; $policies. Unit: pairs.
WITH short AS (
    SELECT workload, policy, replication, job FROM jobs
    WHERE estimate_us <= 60e6 AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
)
SELECT
    w.label || ', ' || p.label || ': ' || what AS label,
    count(*) FILTER (
        if(what = 'with a short job', (m.workload, m.policy, m.replication, m.job) IN (FROM short)
            OR (m.workload, m.policy, m.replication, m.partner) IN (FROM short), slowdown_ppm > 1600000)
    ) AS value
FROM matches AS m
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
CROSS JOIN (VALUES ('with a short job'), ('slowed by more than 1.6')) AS rules (what)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, p.position, what
ORDER BY w.label, p.position, what
