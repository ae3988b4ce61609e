-- Pairs of periods of one batch of jobs whose order by length is not their order by idling ratio.
-- Parameters: $policies: packings that are compared in pairs, by id.
SELECT workloads.label, count(*) FILTER (out_of_order) AS value
FROM (
    SELECT workload, sign(a.slots - b.slots) <> sign(round(a.idling_ratio - b.idling_ratio, 9)) AS out_of_order
    FROM batches AS a
    JOIN batches AS b USING (workload, replication)
    WHERE a.policy < b.policy AND workload LIKE 'batch-%'
        AND a.policy IN (SELECT unnest($policies)) AND b.policy IN (SELECT unnest($policies))
)
JOIN workloads USING (workload)
GROUP BY workloads.label
ORDER BY workloads.label
