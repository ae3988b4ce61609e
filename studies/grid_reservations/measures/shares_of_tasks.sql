-- Tasks over medium and long jobs and tasks, in the mean of the draws, beside what the thesis prints. Exact.
-- Parameters: $split: whether the medium and long jobs that were split count, too. Unit: per cent.
WITH counted AS (SELECT workload, replication, count(*) AS tasks FROM tasks GROUP BY workload, replication),
-- those of the workload in which no job is split
jobs AS (
    SELECT replication, sum(value) AS jobs
    FROM run_values
    WHERE workload = 'p-0' AND policy = 'no-workflows' AND metric = 'jobs' AND scope IN ('medium', 'long')
    GROUP BY replication
)
SELECT
    w.label AS label, 100 * avg(tasks / (j.jobs + tasks - if($split, 0, tasks / 5))) AS value, any_value(q.printed) AS printed
FROM counted
JOIN jobs AS j USING (replication)
JOIN printed_values AS q USING (workload)
JOIN workloads AS w USING (workload)
WHERE q.source = 'Cao 2009' AND q.metric = 'share_of_tasks'
GROUP BY w.label
ORDER BY printed
