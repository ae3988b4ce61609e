-- Published schedules against ours, job by job. Rejected jobs have no start here.
SELECT workload, workload_label, job, ours.submit_us, ours.runtime_us, ours.start_us AS start_us, recorded_starts.start_us AS published_us
FROM base JOIN jobs AS ours USING (workload, policy) JOIN recorded_starts USING (workload, replication, job)
ORDER BY position, coalesce(ours.start_us, recorded_starts.start_us) + ours.runtime_us, ours.start_us, job
