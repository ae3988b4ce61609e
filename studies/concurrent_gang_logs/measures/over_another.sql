-- What schedulers come to over another on the same jobs, by source of the jobs and load: two values per draw, whose means have
-- the ratio.
--
-- $metric               a metric of whole runs
-- $policies, $versus    the schedulers, taken in pairs
-- $least, $most         loads that count, in %
-- Unit of analysis: a draw of the jobs of a model; a part of a log.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    split_part(w.label, ', ', 1) || format(', load {:.1f}', w.target_load)
        || if(len($policies) = 1, '', ': ' || p.label || ' over ' || v.label) AS label,
    m.workload || ' ' || m.replication AS unit, m.value, n.value AS versus
FROM pairs
JOIN metrics AS m USING (policy)
JOIN metrics AS n
    ON n.policy = versus_policy AND (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
JOIN policies AS v ON v.policy = n.policy
WHERE m.workload LIKE 'log-%' AND m.metric = $metric AND m.scope = 'all'
    AND round(100 * w.target_load) BETWEEN $least AND $most
ORDER BY list_position($policies, m.policy), w.kind = 'log', split_part(w.label, ', ', 1), w.target_load, unit
