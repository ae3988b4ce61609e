-- Bounded slowdown by class and flexibility under the three approaches of figure 7-4, with what it prints.
SELECT workload_label, policy, policy_label, regexp_extract(scopes.scope, '(.*)=(.*)', 2) AS job_class, i.value, i.low, i.high, units,
    q.value AS printed
FROM shown JOIN intervals AS i USING (workload, policy)
    JOIN (
        SELECT DISTINCT scope, 'mean_relative_response_' || replace(scope, '=', '_') AS metric FROM metrics
        WHERE contains(scope, '=')
    ) AS scopes USING (metric)
    LEFT JOIN printed_values AS q ON q.workload = shown.workload AND q.policy = shown.policy AND q.scope = scopes.scope
WHERE shown.workload LIKE 'huang-_' AND shown.policy IN ('scojo_pri_eb', 'scojo_pri_b_wa', 'scojo_pri_b_wa_fa')
ORDER BY position, starts_with(scopes.scope, 'flex'), list_position(['short', 'medium', 'long', 'moldable', 'rigid', 'malleable'], job_class)
