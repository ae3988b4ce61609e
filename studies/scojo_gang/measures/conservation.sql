-- What must add up in every run: processor time with and without a job over all there is, and work done over work asked; the least
-- and the largest over all runs. Where switching slows the jobs, its time is in neither part: such runs do not count there.
-- Parameters: $workloads; $policies. Unit: none.
WITH done AS (
    SELECT any_value(speedup_us) / sum(0.65 * size * least(runtime_us, estimate_us)) AS part
    FROM jobs
    JOIN gang_sums USING (workload, policy, replication)
    WHERE outcome <> 'rejected' AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    GROUP BY workload, policy, replication
),
accounted AS (
    SELECT value AS part FROM run_values
    JOIN policies USING (policy)
    WHERE metric = 'accounted_capacity' AND NOT coalesce((parameters ->> 'switch_slows')::BOOLEAN, false) AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
)
SELECT what || ', ' || extreme AS label, if(extreme = 'least', min(part), max(part)) AS value
FROM (
    SELECT 'processor time with and without a job over all there is' AS what, part FROM accounted
    UNION ALL
    SELECT 'work done over work asked', part FROM done
)
CROSS JOIN (VALUES ('least'), ('largest')) AS ends (extreme)
GROUP BY what, extreme
