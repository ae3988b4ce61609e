-- Violations of rules of schedules that the checker found in runs with reservations, by rule. Exact.
-- Parameters: $rules, by name.
SELECT rule AS label, sum(violations)::DOUBLE AS value
FROM certificates
WHERE policy LIKE 'grid_%' AND rule IN (SELECT unnest($rules))
GROUP BY rule
