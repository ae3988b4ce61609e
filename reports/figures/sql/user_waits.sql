WITH own AS (
    SELECT workload, policy, user_number, sum(wait_us) / count(*) / 1e6 AS wait
    FROM job_times JOIN users USING (workload, replication, job)
    WHERE workload IN (SELECT workload FROM base)
    GROUP BY ALL HAVING count(*) >= 10
),
spread AS (
    SELECT workload, policy, count(*) AS users, quantile_cont(wait, [0.25, 0.5, 0.75, 0.95]) AS q FROM own GROUP BY ALL
)
SELECT workload_label, policy, policy_label, users, greatest(1, q[1]) AS q25, greatest(1, q[2]) AS q50,
    greatest(1, q[3]) AS q75, greatest(1, q[4]) AS q95
FROM base JOIN spread USING (workload, policy) ORDER BY position
