-- How well gang scheduling packs its slots: the dynamic competitive ratio of da Silva (doctoral thesis, Universite
-- Paris VI, 2000, section 5.3.2) of every run with as many slots as it takes.
--
-- At each arrival the slots in use are divided by the fewest that the sizes of all jobs present could fill
-- (equation 5.1); the ratio after N arrivals is the mean of the first N (equation 5.3). Jobs that arrive at one
-- instant all count with what there is after the last of them. Ratios are summed as integers, in billionths, so
-- that the sum does not depend on the order.
--
-- Needs the temporary table arrivals, a row per arrival: workload, policy, replication, batch, arrival (its number),
-- submit_us; jobs, slots and fewest right after it; slots over fewest in billionths, and the sum so_far; the number of
-- the last arrival.
INSERT INTO packing
SELECT workload, policy, replication, arrival, submit_us / 1e6, slots, fewest, jobs, so_far / arrival / 1e9
FROM arrivals
WHERE arrival % greatest(1, last // 1000) = 0 OR arrival = last
ORDER BY workload, policy, replication, arrival;

WITH measured AS (
    SELECT
        workload, policy, unit_kind, if(unit_kind = 'batch', batch, replication) AS unit,
        sum(billionths) / count(*) / 1e9 AS dynamic_competitive_ratio,
        sum(billionths) / count(*) / 1e9 - 1 AS packing_excess,
        avg(jobs) AS jobs_at_arrival,
        avg(fewest) AS fewest_slots_at_arrival
    FROM arrivals JOIN unit_kinds USING (workload) GROUP BY workload, policy, unit_kind, unit
)
INSERT INTO measurements
SELECT workload, policy, unit_kind, unit, metric, 'all', value
FROM (UNPIVOT measured ON COLUMNS(* EXCLUDE (workload, policy, unit_kind, unit)) INTO NAME metric VALUE value)
ORDER BY ALL;
