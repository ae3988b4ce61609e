-- Violations of rules of schedules that the checker found, by rule. Exact.
-- Parameters: $workloads; $rules, by name.
SELECT rule AS label, sum(violations)::DOUBLE AS value
FROM certificates
WHERE workload IN (SELECT unnest($workloads)) AND rule IN (SELECT unnest($rules))
GROUP BY rule
