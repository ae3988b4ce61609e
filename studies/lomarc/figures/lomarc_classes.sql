-- How much shorter the mean response time of each class of jobs is than under PSS, a row per replication. Classes as the
-- scheduler has them: estimates of up to a minute, up to an hour, beyond.
WITH means AS (
    SELECT
        workload, policy, replication,
        CASE WHEN estimate_us <= 60e6 THEN 'short' WHEN estimate_us <= 3600e6 THEN 'medium' ELSE 'long' END AS job_class,
        avg(finish_us - submit_us) AS response_us
    FROM jobs WHERE outcome <> 'rejected' AND workload IN (SELECT unnest($workloads))
        AND (policy = 'pss' OR policy IN (SELECT unnest($policies)))
    GROUP BY ALL
)
SELECT
    workload_label, a.policy, policy_label, job_class, replication AS unit, 100 * (1 - a.response_us / b.response_us) AS value
FROM means AS a
JOIN means AS b USING (workload, replication, job_class)
JOIN shown ON shown.workload = a.workload AND shown.policy = a.policy
WHERE b.policy = 'pss' AND a.policy <> 'pss'
ORDER BY list_position($workloads, a.workload), list_position(['short', 'medium', 'long'], job_class), shown.position, unit
