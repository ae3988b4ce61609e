-- The series in about sixty bins a workload, of a day at least.
WITH bin AS (
    SELECT workload, greatest(86400, max(bin_start_s + bin_s) / 60) AS width FROM series GROUP BY workload
), binned AS (
    SELECT workload, policy, floor(bin_start_s / width) * width / 86400 AS day, any_value(width) / 86400 AS width,
        100 * avg(utilisation) AS utilisation, greatest(1, avg(queued_jobs)) AS queue
    FROM series JOIN bin USING (workload)
    GROUP BY ALL
)
SELECT workload_label, policy, policy_label, day, width, utilisation, queue
FROM base JOIN binned USING (workload, policy)
ORDER BY position, day
