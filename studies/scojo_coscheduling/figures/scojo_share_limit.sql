-- The largest slowdown with which jobs of case 1 are coscheduled.
SELECT DISTINCT (parameters ->> 'slowdown_limit')::DOUBLE AS slowdown_limit
FROM shown JOIN policies USING (policy)
WHERE shown.workload = 'case-1' AND parameters ->> 'slowdown' = 'table'
