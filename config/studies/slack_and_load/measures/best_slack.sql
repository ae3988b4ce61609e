-- The slack, of those that were tried, with the least geometric mean of makespans of workflows (weight 2) and relative response times of
-- medium and of long local jobs (weight 1 each), draw by draw; the smaller of equals.
-- Parameters: $policies, of one kind of reservation; $workloads. Unit: per cent of a task's run time; a draw each.
WITH costs AS (
    SELECT
        workload, replication, 100 * (parameters ->> 'slpa')::DOUBLE AS slack,
        sum(if(metric = 'mean_workflow_makespan', 2, 1) * ln(value)) AS cost
    FROM metrics JOIN policies USING (policy)
    WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
        AND (metric || ' ' || scope) IN ('mean_workflow_makespan all', 'mean_slowdown local medium', 'mean_slowdown local long')
    GROUP BY workload, replication, policy, parameters
)
SELECT w.label AS label, replication AS unit, arg_min(slack, (round(cost, 9), slack)) AS value
FROM costs JOIN workloads AS w USING (workload)
GROUP BY w.label, workload, replication
ORDER BY list_position($workloads, workload), unit
