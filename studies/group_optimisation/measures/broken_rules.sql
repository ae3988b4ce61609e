-- Violations of the rules of schedules that the checker found, in all runs whose machine belongs to one class at a time. Exact.
SELECT 'Violations, all runs with slices' AS label, sum(violations)::DOUBLE AS value
FROM certificates
WHERE (workload, policy) IN (SELECT DISTINCT (workload, policy) FROM slices)
HAVING count(*) > 0
