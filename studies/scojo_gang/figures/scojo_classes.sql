-- Bounded slowdown by class and flexibility under the three approaches of figure 7-4, with what it prints.
SELECT workload_label, policy, policy_label, split_part(i.scope, '=', 2) AS job_class, i.value, i.low, i.high, units,
    q.value AS printed
FROM shown JOIN intervals AS i USING (workload, policy)
    LEFT JOIN printed_values AS q ON q.workload = shown.workload AND q.policy = shown.policy AND q.scope = i.scope
WHERE i.metric = 'mean_relative_response' AND contains(i.scope, '=') AND shown.workload LIKE 'huang-_' AND shown.policy IN ('scojo_pri_eb', 'scojo_pri_b_wa', 'scojo_pri_b_wa_fa')
ORDER BY position, starts_with(i.scope, 'flex'), list_position(['short', 'medium', 'long', 'moldable', 'rigid', 'malleable'], job_class)
