-- Figures that sources print, as they stand there, in the units of this store: hours become seconds, per cent become
-- shares. They are quoted, not computed; figures draw them as marks of their own and claims compare with them.
--
-- Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapter 7: each is one
-- random instance of a workload, and figure 7-1 shows another instance than figures 7-2 and 7-3.
INSERT INTO printed_values
SELECT 'Huang 2004', place, workload, policy, metric, scope, value * scale
FROM (
    VALUES
    ('figure 7-1, page 63', 'huang-1', 'scojo_pri_b_wa_fa_mpl1', 'mean_response', 'all', 17.99),
    ('figure 7-1, page 63', 'huang-1', 'scojo_fcfs', 'mean_response', 'all', 130.97),
    ('figure 7-1, page 63', 'huang-1', 'scojo_fcfs', 'mean_relative_response', 'all', 3551.37),
    ('figure 7-1, page 63', 'huang-2', 'scojo_pri_b_wa_fa_mpl1', 'mean_response', 'all', 362.98),
    ('figure 7-1, page 63', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_response', 'all', 381.02),
    ('figure 7-1, page 63', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'all', 53.27),
    ('figure 7-1, page 63', 'huang-2', 'scojo_fcfs_mpl2', 'mean_response', 'all', 2203.99),
    ('figure 7-1, page 63', 'huang-2', 'scojo_fcfs_mpl2', 'mean_relative_response', 'all', 31017.44),
    ('figure 7-1, page 64', 'huang-2', 'scojo_fcfs', 'mean_response', 'all', 2102.03),
    ('figure 7-1, page 64', 'huang-2', 'scojo_fcfs', 'mean_relative_response', 'all', 29336.64),
    ('figure 7-2, page 65', 'huang-1', 'scojo_fcfs', 'mean_response', 'all', 129.4),
    ('figure 7-3, page 65', 'huang-1', 'scojo_fcfs', 'mean_relative_response', 'all', 3473.02),
    ('figure 7-2, page 65', 'huang-1', 'scojo_pri_b', 'mean_response', 'all', 26.49),
    ('figure 7-3, page 65', 'huang-1', 'scojo_pri_b', 'mean_relative_response', 'all', 39.92),
    ('figure 7-2, page 65', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_response', 'all', 17.61),
    ('figure 7-3, page 65', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'all', 26.61),
    ('figure 7-2, page 65', 'huang-1', 'scojo_pri_eb_wa_fa', 'mean_response', 'all', 17.05),
    ('figure 7-3, page 65', 'huang-1', 'scojo_pri_eb_wa_fa', 'mean_relative_response', 'all', 25.59),
    ('figure 7-2, page 65', 'huang-1', 'scojo_pri_b_fa', 'mean_response', 'all', 37.37),
    ('figure 7-3, page 65', 'huang-1', 'scojo_pri_b_fa', 'mean_relative_response', 'all', 55.04),
    ('figure 7-2, page 64', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_response', 'all', 404.12),
    ('figure 7-3, page 64', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'all', 62.26),
    ('figure 7-2, page 64', 'huang-2', 'scojo_fcfs', 'mean_response', 'all', 2121),
    ('figure 7-3, page 64', 'huang-2', 'scojo_fcfs', 'mean_relative_response', 'all', 29001.63),
    ('figure 7-4, page 66', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'class=short', 1.54),
    ('figure 7-4, page 66', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'class=long', 118.4),
    ('figure 7-4, page 66', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'flexibility=moldable', 2.73),
    ('figure 7-4, page 66', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'flexibility=malleable', 80.79),
    ('figure 7-4, page 66', 'huang-1', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'flexibility=rigid', 7.45),
    ('figure 7-4, page 66', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'flexibility=rigid', 136.25),
    ('figure 7-4, page 67', 'huang-2', 'scojo_pri_b_wa_fa', 'mean_relative_response', 'flexibility=malleable', 139.78),
    ('figure 7-5, page 67', 'huang-1', 'scojo_pri_b_wa_fa', 'effective_utilisation', 'all', 90.32),
    ('figure 7-5, page 67', 'huang-1', 'scojo_fcfs', 'effective_utilisation', 'all', 91.44),
    ('figure 7-5, page 68', 'huang-2', 'scojo_pri_b_wa_fa', 'effective_utilisation', 'all', 90.31),
    ('figure 7-5, page 68', 'huang-2', 'scojo_pri_wa_fa', 'effective_utilisation', 'all', 90.78),
    ('figure 7-5, page 68', 'huang-2', 'scojo_fcfs_b', 'effective_utilisation', 'all', 90.6),
    ('figure 7-5, page 68', 'huang-2', 'scojo_fcfs', 'effective_utilisation', 'all', 91.67),
    ('figure 7-6, page 68', 'huang-1', 'scojo_pri_b_wa_fa', 'makespan_from_first_start', 'all', 506.2),
    ('figure 7-6, page 68', 'huang-1', 'scojo_fcfs_b', 'makespan_from_first_start', 'all', 560.46),
    ('figure 7-7, page 68', 'huang-2', 'scojo_pri_b_wa', 'job_efficiency', 'all', 71.41),
    ('figure 7-7, page 68', 'huang-2', 'scojo_pri_b', 'job_efficiency', 'all', 64.99)
) AS quoted (place, workload, policy, metric, scope, value)
JOIN (
    VALUES
    ('mean_response', 3600.0), ('makespan_from_first_start', 3600.0), ('mean_relative_response', 1.0),
    ('effective_utilisation', 0.01), ('job_efficiency', 0.01)
) AS scales (metric, scale) USING (metric);
