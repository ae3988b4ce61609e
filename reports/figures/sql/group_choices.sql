-- Each choice the text leaves open, turned alone: improvement over SCOJO-PECT with the same choice, on the same jobs; mean
-- and range over draws.
SELECT p.label AS choice, policy, scope AS job_class, 100 * (1 - avg(ratio)) AS value, 100 * (1 - max(ratio)) AS low,
    100 * (1 - min(ratio)) AS high, count(*) AS units
FROM run_ratios JOIN policies AS p USING (policy)
WHERE workload IN ('one-71', 'one-31') AND starts_with(policy, 'pect_o') AND NOT regexp_matches(policy, '_m[0-9]+_l')
    AND versus_policy = CASE
        WHEN policy IN ('pect_o_easy', 'pect_o_unguarded', 'pect_o_share30') THEN replace(policy, '_o_', '_') ELSE 'pect' END
    AND metric = 'mean_bounded_slowdown_600' AND scope IN ('medium', 'long')
GROUP BY p.label, policy, scope
ORDER BY policy <> 'pect_o', policy, scope DESC
