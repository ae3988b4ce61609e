WITH class AS (
    SELECT j.workload, j.policy,
        if(run_s <= 3600, 'Short', 'Long') || if(16 * size <= w.processors, ', narrow', ', wide') AS class,
        avg(bounded_slowdown_10) AS slowdown, count(*) AS jobs
    FROM job_times AS j JOIN workloads AS w USING (workload)
    WHERE j.workload IN (SELECT workload FROM base) GROUP BY ALL)
SELECT workload_label, policy, policy_label, class, slowdown, jobs
FROM base JOIN class USING (workload, policy) ORDER BY position, class
