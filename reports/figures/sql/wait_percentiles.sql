WITH percentile AS (
    SELECT workload, policy, quantile_cont(wait_s, [0.5, 0.95, 0.99]) AS q FROM job_times
    WHERE workload IN (SELECT workload FROM base) GROUP BY ALL)
SELECT workload_label, policy, policy_label, unnest(['median', '95 %', '99 %']) AS part,
    unnest([greatest(1, q[1]), greatest(1, q[2]), greatest(1, q[3])]) AS wait, greatest(1, q[1]) AS least,
    greatest(1, q[3]) AS most
FROM base JOIN percentile USING (workload, policy) ORDER BY position, wait, part
