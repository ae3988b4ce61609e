-- The dynamic competitive ratio against the number of arrivals, some two hundred points a run, more at the begin.
WITH numbered AS (
    SELECT *, row_number() OVER (PARTITION BY workload, policy, replication ORDER BY arrival) AS place,
        arrival = max(arrival) OVER (PARTITION BY workload, policy, replication) AS is_last
    FROM packing
)
SELECT workload, workload_label, policy, policy_label, replication + 1 AS sequence, arrival, ratio, ratio - 1 AS excess
FROM numbered JOIN shown USING (workload, policy)
WHERE list_contains($workloads, workload) AND (place % 8 = 0 OR place <= 16 OR is_last)
ORDER BY position, sequence, arrival
