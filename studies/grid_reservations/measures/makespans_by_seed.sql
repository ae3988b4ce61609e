-- How much shorter makespans are with propagation than without, for each of four draws: two values per batch of workflows in the
-- order of their submission, twenty batches a draw: the difference and what it is a part of. Unit: per cent.
WITH pairs AS (
    SELECT
        replication, ntile(20) OVER (PARTITION BY replication ORDER BY m.submit_us, workflow) AS batch,
        (m.finish_us - m.start_us) / 1e6 AS mine, (n.finish_us - n.start_us) / 1e6 AS theirs
    FROM workflows AS m JOIN workflows AS n USING (workload, replication, workflow)
    WHERE workload = 'four-seeds' AND m.policy = 'grid_propagation' AND n.policy = 'grid_relaxed' AND replication < 4
)
SELECT
    'Seed ' || [71, 13, 3, 31][replication + 1] AS label,
    batch AS unit, 100 * (avg(theirs) - avg(mine)) AS value, avg(theirs) AS versus
FROM pairs
GROUP BY replication, batch
ORDER BY replication, unit
