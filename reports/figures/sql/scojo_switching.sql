-- Response time when switching slows the jobs, over that of the same strategy at MPL 1, where nothing is switched.
WITH slowed AS (
    SELECT workload_label, versus_policy AS base, policy, unit, ratio,
        coalesce(TRY_CAST(regexp_extract(policy, '_slow([0-9]+)', 1) AS INTEGER), 0) AS cost
    FROM unit_ratios
    WHERE workload LIKE 'huang-_' AND metric = 'mean_response' AND versus_policy IN ('scojo_fcfs_mpl1', 'scojo_pri_b_wa_fa_mpl1')
        AND (starts_with(policy, replace(versus_policy, 'mpl1', 'slow'))
            OR policy IN (replace(versus_policy, 'mpl1', 'mpl2'), replace(versus_policy, 'mpl1', 'mpl5'),
                replace(versus_policy, '_mpl1', '')))
), compared AS (
    SELECT workload_label || ': ' || if(base = 'scojo_fcfs_mpl1', 'FCFS', 'PRI-B-WA-FA') AS panel, cost,
        'MPL ' || (parameters ->> 'level') AS level, avg(ratio) AS ratio, min(ratio) AS least, max(ratio) AS most,
        count(*) AS units
    FROM slowed JOIN policies USING (policy)
    GROUP BY ALL
)
FROM compared
WHERE (panel, level) IN (SELECT (panel, level) FROM compared WHERE cost > 0)
ORDER BY panel, level, cost
