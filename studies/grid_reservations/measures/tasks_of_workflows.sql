-- Tasks of each workflow at 26 %: the fewest and the most. Exact.
WITH counted AS (SELECT count(*) AS tasks FROM tasks WHERE workload = 'p-26' GROUP BY replication, workflow)
SELECT 'Fewest tasks' AS label, min(tasks) AS value FROM counted HAVING count(*) > 0
UNION ALL
SELECT 'Most tasks', max(tasks) FROM counted HAVING count(*) > 0
