-- Jobs of one processor and one unit of time: makespan over what the thesis says it is. m units with one job a slot, m over the
-- processors (rounded up) with the other policies.
SELECT
    policies.label,
    makespan_s / 600 / CASE policy WHEN 'gang-one-job' THEN jobs ELSE ceil(jobs / processors) END AS value
FROM batches
JOIN workloads USING (workload)
JOIN policies USING (policy)
WHERE workload = 'unit-16' AND policy IN ('gang-one-job', 'gang-ffd', 'variable-partitioning')
ORDER BY policies.label
