-- The mean bounded slowdown of medium and of long jobs, added, with other largest sizes of groups over that with M20 L30 (at
-- most 20 medium and 30 long jobs), on the same jobs: two values per draw, whose means have the ratio.
SELECT p.label AS label, workload || '/' || replication AS unit, sum(a.value) AS value, sum(b.value) AS versus
FROM run_values AS a
JOIN run_values AS b USING (workload, replication, metric, scope)
JOIN policies AS p ON p.policy = a.policy
WHERE workload LIKE 'one-%' AND metric = 'mean_bounded_slowdown_600' AND scope IN ('medium', 'long')
    AND b.policy = 'pect_o' AND regexp_matches(a.policy, '_m[0-9]+_l[0-9]+$')
GROUP BY p.label, workload, replication
ORDER BY label, unit
