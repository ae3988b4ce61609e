-- Booked tasks by when they started: before the begin of the slot they were booked in, at it, or later. Shares in per cent.
WITH found AS (
    SELECT
        workload, policy,
        CASE WHEN start_us < planned_start_us THEN 'before its slot' WHEN start_us = planned_start_us THEN 'as booked' ELSE 'later' END AS started,
        count(*) AS tasks, avg(abs(start_us - planned_start_us)) / 3600e6 AS hours
    FROM task_times
    WHERE planned_start_us IS NOT NULL AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    GROUP BY ALL
)
SELECT
    w.label AS workload_label, p.label AS policy_label, started, tasks, hours,
    100 * tasks / sum(tasks) OVER (PARTITION BY workload, policy) AS value
FROM found JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
ORDER BY list_position($workloads, workload), list_position($policies, policy), started
