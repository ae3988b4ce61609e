-- How good the best schedule of a group's search is against the heuristic's, by the orders generated so far: median and
-- quartiles over the searches (parts of groups) of the synthetic workloads.
WITH searches AS (
    SELECT workload, policy, replication, group_number, part, class, improvements.orders, improvements.slowdown,
        first_value(improvements.slowdown) OVER w AS heuristic
    FROM improvements JOIN groups USING (workload, policy, replication, cluster, group_number)
    WHERE policy = 'pect_o' AND workload LIKE 'seed-%'
    WINDOW w AS (PARTITION BY workload, replication, group_number, part
        ORDER BY improvements.orders, improvements.slowdown DESC)
), marks AS (
    SELECT unnest([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000,
        10000]) AS mark
), so_far AS (
    SELECT class, mark, workload, replication, group_number, part, min(slowdown / heuristic) AS share
    FROM searches JOIN marks ON orders <= mark
    GROUP BY ALL
)
SELECT class AS job_class, mark AS orders, count(*) AS searches, 100 * median(share) AS value,
    100 * quantile_cont(share, 0.25) AS low, 100 * quantile_cont(share, 0.75) AS high
FROM so_far GROUP BY class, mark ORDER BY class DESC, mark
