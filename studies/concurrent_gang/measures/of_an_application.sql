-- What the jobs of an application did with one policy over what they did with another, on the same jobs.
-- Parameters: $applications; $what: completed (jobs that ended) or spin (processor time in which they spun); $policy and
-- $versus; $workloads. Unit: none (two values a replication).
WITH done AS (
    SELECT workload, policy, replication, sum(completed) AS completed, sum(spin_ns) AS spin
    FROM application_sums WHERE application IN (SELECT unnest($applications)) GROUP BY ALL
)
SELECT
    w.label, replication AS unit, if($what = 'spin', m.spin, m.completed)::DOUBLE AS value,
    if($what = 'spin', n.spin, n.completed)::DOUBLE AS versus
FROM done AS m
JOIN done AS n USING (workload, replication)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
