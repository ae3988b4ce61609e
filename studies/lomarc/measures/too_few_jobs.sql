-- Part of the time from the first submission to the last end in which all jobs there are, waiting and running, request fewer
-- processors than the machine has. Parameters: $workloads; $policies. Unit: per cent; a replication each.
WITH changes AS (
    SELECT workload, policy, replication, submit_us AS at_us, size AS asked FROM jobs
    UNION ALL
    SELECT workload, policy, replication, finish_us, -size FROM jobs
),
stretches AS (
    SELECT
        workload, policy, replication, sum(asked) OVER so_far AS asked, lead(at_us) OVER so_far - at_us AS length_us
    FROM changes
    WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies)) AND at_us IS NOT NULL
    WINDOW so_far AS (PARTITION BY workload, policy, replication ORDER BY at_us)
)
SELECT
    w.label || ', ' || p.label AS label, replication AS unit,
    100 * coalesce(sum(length_us) FILTER (asked < w.processors), 0) / sum(length_us) AS value
FROM stretches
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
GROUP BY workload, w.label, policy, p.label, replication
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
