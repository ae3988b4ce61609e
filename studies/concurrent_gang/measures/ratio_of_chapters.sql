-- What chapter 8 gains on input and output over what chapter 6 gains: each a ratio of two policies of its own on its own workload.
-- Parameters: $metric; $workload, $policy and $versus of chapter 8; $other, $other_policy and $other_versus of chapter 6. Unit: none; a
-- draw of both workloads each, whose jobs are not the same.
WITH ratios AS (
    SELECT workload, a.policy, b.policy AS versus, replication, a.value / b.value AS ratio
    FROM metrics AS a JOIN metrics AS b USING (workload, replication, metric, scope)
    WHERE metric = $metric AND scope = 'all'
)
SELECT p.label || ' against ' || q.label AS label, replication AS unit, m.ratio AS value, n.ratio AS versus
FROM ratios AS m
JOIN ratios AS n USING (replication)
JOIN policies AS p ON p.policy = m.policy
JOIN policies AS q ON q.policy = n.policy
WHERE m.workload = $workload AND m.policy = $policy AND m.versus = $versus
    AND n.workload = $other AND n.policy = $other_policy AND n.versus = $other_versus
ORDER BY unit
