-- Pairs that the rules forbid, over all runs: with a job whose estimate is at most a minute, and with a believed slowdown above 1.6.
-- Parameters: $workloads; $policies. Unit: pairs.
SELECT
    w.label || ', ' || p.label || ': ' || what AS label,
    count(*) FILTER (if(what = 'with a short job', least(a.estimate_us, b.estimate_us) <= 60e6, slowdown_ppm > 1600000)) AS value
FROM matches AS m
JOIN jobs AS a USING (workload, policy, replication, job)
JOIN jobs AS b ON
    b.workload = m.workload AND b.policy = m.policy AND b.replication = m.replication AND b.job = m.partner
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
CROSS JOIN (VALUES ('with a short job'), ('slowed by more than 1.6')) AS rules (what)
WHERE m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, p.position, what
ORDER BY w.label, p.position, what
