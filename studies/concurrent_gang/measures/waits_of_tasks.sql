-- What A's tasks do at barriers and messages, over what B's do, on the same jobs: two values per draw, whose means have the ratio.
-- Parameters: $against, pairs of schedulers; $workloads; $what: barriers (that jobs pass in a run) or blocks (times that a task blocks
-- for each barrier passed or message received). Unit of analysis: a draw of the jobs.
WITH done AS (
    SELECT
        workload, policy, replication,
        if($what = 'barriers', sum(barriers), sum(blocked) / nullif(sum(if(barriers > 0, barriers, messages)), 0))::DOUBLE AS value
    FROM application_sums
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
