-- Slots of the first period of a batch over the fewest that can hold its jobs: the largest ratio of a workload. Exact.
-- The fewest is a lower bound (Martello and Toth): for a size k, jobs larger than the machine less k have a slot each, and so have the
-- other jobs of more than half of the machine; what those leave is taken from the jobs of k processors up to half of the machine. The
-- best k counts. For sizes that divide one another and the machine, it is the area of the jobs over the machine, which can be reached.
-- Parameters: $workloads; $policy: packing.
WITH sizes AS (
    SELECT workload, replication, size, w.processors
    FROM jobs JOIN workloads AS w USING (workload)
    WHERE policy = $policy AND workload IN (SELECT unnest($workloads))
),
sums AS (
    SELECT
        workload, replication, processors,
        count(*) FILTER (2 * size > processors) AS wide,
        coalesce(sum(processors - size) FILTER (2 * size > processors AND size <= processors - k), 0) AS room,
        coalesce(sum(size) FILTER (size >= k AND 2 * size <= processors), 0) AS narrow
    FROM sizes JOIN range(65) AS bounds (k) ON 2 * k <= processors
    GROUP BY workload, replication, processors, k
),
fewest AS (
    SELECT workload, replication, max(wide + ceil(greatest(narrow - room, 0) / processors)) AS slots
    FROM sums GROUP BY workload, replication
)
SELECT w.label, max(b.slots / fewest.slots) AS value
FROM batches AS b
JOIN fewest USING (workload, replication)
JOIN workloads AS w USING (workload)
WHERE policy = $policy
GROUP BY w.label
ORDER BY w.label
