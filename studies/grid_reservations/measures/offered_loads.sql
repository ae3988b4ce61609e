-- The load that all clusters together are offered, in machines of the size of one, of the draws named after seeds, beside Table
-- 3: processors x run times of the jobs of each cluster over its processors x the time between its first and its last
-- submission, summed. Exact.
WITH offered AS (
    SELECT
        replication, cluster,
        sum(size * runtime_us::HUGEINT) / (any_value(c.processors) * (max(submit_us) - min(submit_us))) AS load
    FROM jobs JOIN clusters AS c USING (workload, cluster)
    WHERE workload = 'p-0' AND policy = 'no-workflows' AND replication < 4
    GROUP BY replication, cluster
)
SELECT 'Seed ' || [71, 13, 3, 31][replication + 1] AS label, sum(load) AS value, any_value(printed) AS printed
FROM offered
JOIN printed_values AS q ON q.metric = 'offered_load' AND q.scope = 'seed ' || [71, 13, 3, 31][replication + 1]
WHERE q.source = 'Cao 2009'
GROUP BY replication
ORDER BY replication
