-- What A's jobs of some applications did over what B's did, on the same jobs: two values per draw, whose means have the ratio.
-- Parameters: $against, pairs of schedulers; $workloads; $applications, or [any]; $what: completed (jobs that ended), spin (time
-- in which they spun), local (time that local schedulers gave their tasks, jobs of one task left out), barriers (that they passed) or
-- blocks (times that a task blocks per barrier passed or message received).
WITH done AS (
    SELECT
        workload, policy, replication,
        CASE $what WHEN 'completed' THEN sum(completed) WHEN 'spin' THEN sum(spin_ns) WHEN 'barriers' THEN sum(barriers)
            WHEN 'local' THEN sum(local_ns) FILTER (one_task IS NOT TRUE)
            WHEN 'blocks' THEN sum(blocked) / nullif(sum(if(barriers > 0, barriers, messages)), 0) END::DOUBLE AS value
    FROM application_sums WHERE $applications = ['any'] OR application IN (SELECT unnest($applications))
    GROUP BY ALL
)
SELECT w.label || ', ' || over(p.label, v.label) AS label, a.replication AS unit, a.value, b.value AS versus
FROM pairs_of($against) AS pair
JOIN done AS a ON a.policy = pair.mine
JOIN done AS b ON b.policy = pair.theirs AND b.workload = a.workload AND b.replication = a.replication
JOIN pairs_of($workloads) AS place ON place.mine = a.workload
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
ORDER BY place.place, pair.place, unit
