-- Of all pairs of systems, those that stand in the same order by the work they do as on another machine, in %.
-- Parameters: $machines: machines: a workload and what ids of policies begin with; $as_on: the machine that they are compared
-- with. Unit of analysis: a draw of the jobs.
WITH machines AS (SELECT unnest(list_prepend($as_on, $machines)) AS machine),
work AS (
    SELECT
        machine, policy[strpos(policy, '-') + 1:] AS system, replication, compute_share + message_share + disk_utilisation AS value
    FROM activity
    JOIN machines ON workload = split_part(machine, ' ', 1) AND split_part(policy, '-', 1) = split_part(machine, ' ', 2)
    WHERE whole
),
pairs AS (
    SELECT a.machine, a.replication, a.system AS one, b.system AS other, sign(a.value - b.value) AS order_of_two
    FROM work AS a JOIN work AS b USING (machine, replication) WHERE a.system < b.system
)
SELECT
    CASE here.machine
        WHEN 'machine-disk switch' THEN 'switch of 2 us'
        WHEN 'machine-disk rdma' THEN 'RDMA'
        WHEN 'machine-nvme rdma' THEN 'NVMe'
        WHEN 'machine-nvme-short rdma' THEN 'NVMe, computing as short'
        ELSE here.machine
    END AS label, here.replication AS unit, 100 * avg((here.order_of_two = there.order_of_two)::INTEGER) AS value
FROM pairs AS here
JOIN pairs AS there USING (replication, one, other)
WHERE there.machine = $as_on AND here.machine <> $as_on
GROUP BY here.machine, here.replication
ORDER BY list_position($machines, here.machine), unit
