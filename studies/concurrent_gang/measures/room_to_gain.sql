-- The most that utilisation can grow under some workloads (to the whole machine) over how much it does grow under others.
-- Parameters: $policy and $versus; $workloads and $others, taken in pairs. Unit: none. A draw of both workloads each, whose jobs
-- are not the same.
WITH pairs AS (SELECT unnest($workloads) AS workload, unnest($others) AS other, generate_subscripts($workloads, 1) AS place),
used AS (FROM run_values WHERE metric = 'utilisation_spin_busy' AND scope = 'all')
SELECT
    w.label || ' against ' || o.label AS label, l.replication AS unit, 1 / l.value AS value, m.value / n.value AS versus
FROM pairs
JOIN used AS l USING (workload)
JOIN used AS m ON m.workload = pairs.other AND m.replication = l.replication
JOIN used AS n ON n.workload = m.workload AND n.replication = m.replication
JOIN workloads AS w ON w.workload = l.workload
JOIN workloads AS o ON o.workload = m.workload
WHERE l.policy = $versus AND m.policy = $policy AND n.policy = $versus
ORDER BY place, unit
