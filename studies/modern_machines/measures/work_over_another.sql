-- Work done under one system over that under another on the same machine with the same jobs: computing, messages, and requests
-- that disks serve; two values per draw, whose means have the ratio.
-- Parameters: $systems, $versus: the systems, taken in pairs, by what their ids end with; $machines: machines: a workload and
-- what ids of policies begin with. Unit of analysis: a draw of the jobs.
WITH pairs AS (SELECT unnest($systems) AS system, unnest($versus) AS versus_system),
machines AS (SELECT split_part(unnest($machines), ' ', 1) AS workload, split_part(unnest($machines), ' ', 2) AS machine),
work AS (
    SELECT
        workload, split_part(policy, '-', 1) AS machine, policy[strpos(policy, '-') + 1:] AS system, p.label, replication,
        compute_share + message_share + disk_utilisation AS value
    FROM activity JOIN policies AS p USING (policy)
    WHERE whole
)
SELECT
    a.label || ' over ' || b.label || ', ' || w.label AS label, a.replication AS unit, a.value::DOUBLE AS value, b.value::DOUBLE AS versus
FROM machines
JOIN work AS a USING (workload, machine)
JOIN pairs USING (system)
JOIN work AS b ON (b.workload, b.machine, b.system, b.replication) = (workload, machine, versus_system, a.replication)
JOIN workloads AS w USING (workload)
ORDER BY list_position($machines, workload || ' ' || machine), list_position($systems, a.system), list_position($versus, b.system), unit
