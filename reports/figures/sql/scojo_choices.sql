-- Each choice the text leaves open, turned alone, over the strategy as the study runs it: paired, on the same jobs.
WITH turned AS (
    SELECT workload_label, policy_label AS choice, metric, unit, ratio
    FROM unit_ratios
    WHERE metric IN ('mean_response', 'mean_relative_response') AND (
        versus_policy = 'scojo_pri_b_wa_fa' AND workload LIKE 'huang-_'
            AND regexp_matches(policy, '^scojo_pri_b_wa_fa_(aging|cost|optimum)')
        OR workload LIKE 'huang-_-few' AND policy = versus_policy || '_all'
    )
), compared AS (
    SELECT regexp_replace(workload_label, ', .*', '') AS workload_label, choice, metric,
        avg(ratio) AS ratio, min(ratio) AS least, max(ratio) AS most, count(*) AS units
    FROM turned GROUP BY ALL
)
FROM compared
ORDER BY workload_label, contains(choice, 'delayed'), contains(choice, 'optima'), contains(choice, 'reconfiguration'),
    choice, metric DESC
