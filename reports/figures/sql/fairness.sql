WITH against AS (
    SELECT workload, j.policy, 100 * avg((j.start_us > fair.start_us)::INTEGER) AS late,
        avg(greatest(0, j.start_us - fair.start_us)) / 3.6e9 AS miss
    FROM jobs AS j JOIN jobs AS fair USING (workload, replication, job)
    WHERE fair.policy = 'fair_start' AND j.outcome <> 'rejected' GROUP BY ALL)
SELECT workload_label, policy, policy_label, late, miss
FROM base JOIN against USING (workload, policy) ORDER BY position
