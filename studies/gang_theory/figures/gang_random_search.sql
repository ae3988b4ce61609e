-- How the makespan over the least one is distributed on random batches: the share of batches in bins of 0.05.
WITH binned AS (
    SELECT workload, policy, floor(round(ratio, 9) * 20) / 20 AS bin, count(*) AS batches
    FROM batches WHERE workload LIKE 'batch-%' GROUP BY ALL
),
most AS (SELECT workload, policy, max(ratio) AS largest, count(*) AS total FROM batches GROUP BY ALL)
SELECT
    workload, workload_label, policy, policy_label, bin, bin + 0.05 AS bin_end, batches, 100 * batches / total AS share,
    largest, total
FROM binned JOIN most USING (workload, policy) JOIN shown USING (workload, policy)
ORDER BY position, bin
