-- The idling ratio of the best period of a batch less that of a schedule that goes through all its periods in turn.
-- Parameters: $policies: packings whose periods follow one another in that schedule, by id. The largest difference over the
-- batches of a workload.
SELECT workloads.label, max(best - in_turn) AS value
FROM (
    SELECT workload, replication, min(idling_ratio) AS best, sum(slots * idling_ratio) / sum(slots) AS in_turn
    FROM batches WHERE workload LIKE 'batch-%' AND policy IN (SELECT unnest($policies))
    GROUP BY workload, replication
    HAVING count(*) > 1
)
JOIN workloads USING (workload)
GROUP BY workloads.label
ORDER BY workloads.label
