-- One column of the series in about sixty bins a workload, each of one or more whole bins of the series. Policies without it are
-- left out.
WITH bin AS (
    SELECT workload, max(bin_s) * greatest(1, ceil(max(bin_start_s + bin_s) / 60 / max(bin_s))) AS width
    FROM series GROUP BY workload
), binned AS (
    SELECT workload, policy, floor(bin_start_s / width) * width AS begin_s, any_value(width) AS width,
        100 * avg(utilisation) AS utilisation, greatest(1, avg(queued_jobs)) AS queue
    FROM series JOIN bin USING (workload)
    WHERE CASE $column WHEN 'utilisation' THEN utilisation ELSE queued_jobs END IS NOT NULL
    GROUP BY workload, policy, floor(bin_start_s / width) * width
)
SELECT workload_label, policy, policy_label, begin_s, width, utilisation, queue
FROM base JOIN binned USING (workload, policy)
ORDER BY position, begin_s
