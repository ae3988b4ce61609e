-- The least slack, straight between those that were tried, from which makespans of workflows and relative response times of local jobs
-- together (as in together.sql) are at most so much more than with a policy that needs none; the largest where they never are.
-- Parameters: $policies, of rising slack; $versus; $more, in per cent; $workloads. Unit: per cent of a task's run time; a draw each.
WITH costs AS (
    SELECT
        m.workload, m.replication, 100 * (parameters ->> 'slpa')::DOUBLE AS slack,
        100 * (exp(sum(if(m.metric = 'mean_workflow_makespan', 2, 1) * ln(m.value / n.value)) / 4) - 1) AS more
    FROM run_values AS m
    JOIN run_values AS n ON (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
    JOIN policies AS p ON p.policy = m.policy
    WHERE m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies)) AND n.policy = $versus
        AND m.metric || ' ' || m.scope IN ('mean_workflow_makespan all', 'mean_slowdown local medium', 'mean_slowdown local long')
    GROUP BY m.workload, m.replication, m.policy, parameters
),
steps AS (
    SELECT *, lead(slack) OVER line AS next_slack, lead(more) OVER line AS next_more
    FROM costs
    WINDOW line AS (PARTITION BY workload, replication ORDER BY slack)
)
SELECT
    w.label AS label, replication AS unit,
    CASE
        WHEN min_by(more, slack) <= $more THEN min(slack)
        ELSE coalesce(
            min(slack + (next_slack - slack) * (more - $more) / (more - next_more)) FILTER (more > $more AND next_more <= $more),
            max(slack)
        )
    END AS value
FROM steps JOIN workloads AS w USING (workload)
GROUP BY w.label, workload, replication
ORDER BY list_position($workloads, workload), unit
