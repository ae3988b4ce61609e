-- Utilisation from the begin to a time of the run.
-- Parameters: $policy; $workload; $times (s). Unit: per cent; a replication each.
SELECT
    'after ' || format('{:,}', end_s::INTEGER) || ' s' AS label, replication AS unit, 100 * utilisation_spin_busy AS value
FROM activity
WHERE workload = $workload AND policy = $policy AND end_s IN (SELECT unnest($times))
ORDER BY end_s, unit
