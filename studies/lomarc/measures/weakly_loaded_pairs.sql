-- Pairs formed in a pass that began with node requests of at most 80 % of the free processors. Requests are those of all waiting
-- jobs; processors that two jobs share are counted once. Parameters: $workloads; $policies. Unit: pairs.
WITH own AS (
    SELECT workload, policy, replication, job, submit_us, start_us, finish_us, size
    FROM jobs
    WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND start_us IS NOT NULL
),
pairs AS (
    SELECT m.workload, m.policy, m.replication, m.begin_us, least(a.finish_us, b.finish_us) AS end_us, least(a.size, b.size) AS common
    FROM matches AS m
    JOIN own AS a ON (a.workload, a.policy, a.replication, a.job) = (m.workload, m.policy, m.replication, m.job)
    JOIN own AS b ON (b.workload, b.policy, b.replication, b.job) = (m.workload, m.policy, m.replication, m.partner)
),
-- What a pass finds comes before it, what it starts after it.
changes AS (
    SELECT workload, policy, replication, submit_us AS at_us, 0 AS turn, size AS asked, 0 AS taken FROM own
    UNION ALL
    SELECT workload, policy, replication, start_us, 2, -size, size FROM own
    UNION ALL
    SELECT workload, policy, replication, finish_us, 0, 0, -size FROM own
    UNION ALL
    SELECT workload, policy, replication, begin_us, 2, 0, -common FROM pairs
    UNION ALL
    SELECT workload, policy, replication, end_us, 0, 0, common FROM pairs
    UNION ALL
    SELECT workload, policy, replication, begin_us, 1, 0, 0 FROM pairs
),
found AS (
    SELECT workload, policy, turn, sum(asked) OVER so_far AS asked, sum(taken) OVER so_far AS taken
    FROM changes
    WINDOW so_far AS (PARTITION BY workload, policy, replication ORDER BY at_us, turn)
)
SELECT
    w.label || ', ' || p.label AS label, count(*) FILTER (asked <= 0.8 * (w.processors - taken))::DOUBLE AS value
FROM found
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE turn = 1
GROUP BY w.label, p.label, p.position
ORDER BY w.label, p.position
