-- Jobs that use another resource for longer than the one by which they are classified.
-- Parameters: $workloads. Unit: per cent of the jobs of a kind; exact.
SELECT
    w.label || ', bound by ' || b.kind AS label,
    100 * count(*) FILTER (greatest(cpu, network, disk) > CASE b.kind WHEN 'cpu' THEN cpu WHEN 'network' THEN network ELSE disk END)
        / count(*) AS value
FROM behaviours AS b JOIN workloads AS w USING (workload)
WHERE workload IN (SELECT unnest($workloads))
GROUP BY workload, w.label, b.kind
ORDER BY list_position($workloads, workload), b.kind
