-- Violations of rules of schedules that the checker found, by rule. Exact.
-- Parameters: $policies; $rules, by name.
SELECT rule AS label, sum(violations)::DOUBLE AS value
FROM certificates
WHERE policy IN (SELECT unnest($policies)) AND rule IN (SELECT unnest($rules))
GROUP BY rule
ORDER BY rule
