-- A strategy over another on the same jobs: the ratio of the mean response times of the jobs that run at least so long.
-- Parameters: $workload; $shortest_s, seconds; $policy; $versus. Unit: none.
WITH means AS (
    SELECT policy, replication, sum(finish_us - submit_us)::DOUBLE AS response_us
    FROM jobs WHERE workload = $workload AND runtime_us >= 1e6 * $shortest_s AND policy IN ($policy, $versus)
    GROUP BY policy, replication
)
SELECT 'Jobs of ' || $shortest_s || ' s or more' AS label, a.replication AS unit, a.response_us AS value, b.response_us AS versus
FROM means AS a JOIN means AS b USING (replication)
WHERE a.policy = $policy AND b.policy = $versus
