-- Each choice the text leaves open, turned alone: improvement over SCOJO-PECT with the same choice, on the same jobs.
SELECT p.label AS choice, policy, metric, scope AS job_class, workload || '/' || replication AS unit, 100 * (1 - ratio) AS value
FROM run_ratios JOIN policies AS p USING (policy)
WHERE workload IN ('one-71', 'one-31') AND starts_with(policy, 'pect_o') AND NOT regexp_matches(policy, '_m[0-9]+_l')
    AND versus_policy = CASE
        WHEN policy IN ('pect_o_easy', 'pect_o_unguarded', 'pect_o_share30') THEN replace(policy, '_o_', '_') ELSE 'pect' END
    AND metric = 'mean_bounded_slowdown_600' AND scope IN ('medium', 'long')
ORDER BY policy <> 'pect_o', policy, scope, unit
