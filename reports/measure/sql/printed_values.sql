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

-- Kanavallil, Group-based optimization for parallel job scheduling in clusters via heuristic search, M.Sc. thesis,
-- University of Windsor, 2007, Tables 5 to 9. Characteristics of workloads have no policy.
INSERT INTO printed_values
SELECT
    'Kanavallil 2007', 'Table 5, page 50', workload, '',
    unnest(['job_share', 'job_share', 'job_share', 'work_share', 'work_share', 'work_share',
        'mean_size', 'mean_size', 'mean_size', 'mean_gap']),
    unnest(['short', 'medium', 'long', 'short', 'medium', 'long', 'short', 'medium', 'long', 'all']),
    unnest([n_s / 100, n_m / 100, n_l / 100, w_s / 100, w_m / 100, w_l / 100, s_s, s_m, s_l, gap])
FROM (
    VALUES
    ('seed-71', 64, 19, 17, 0.5, 26.5, 73, 9, 17, 19, 808),
    ('seed-31', 63, 20, 17, 0.5, 25, 74.5, 9, 16, 20, 859),
    ('seed-73', 64, 20, 16, 0.4, 26.5, 73.5, 9, 17, 21, 797),
    ('seed-35', 65, 19, 16, 0.5, 27, 72.5, 9, 18, 20, 800),
    ('seed-7', 64, 20, 16, 0.5, 26, 73.5, 8, 17, 21, 839)
) AS quoted (workload, n_s, n_m, n_l, w_s, w_m, w_l, s_s, s_m, s_l, gap);

INSERT INTO printed_values
SELECT
    'Kanavallil 2007', 'Table 6, page 51', workload, '',
    unnest(['job_share', 'job_share', 'job_share', 'work_share', 'work_share', 'work_share',
        'mean_size', 'mean_size', 'mean_size', 'long_narrow_share']),
    unnest(['short', 'medium', 'long', 'short', 'medium', 'long', 'short', 'medium', 'long', 'long']),
    unnest([n_s / 100, n_m / 100, n_l / 100, w_s / 100, w_m / 100, w_l / 100, s_s, s_m, s_l, long_narrow])
FROM (
    VALUES
    ('sdsc-blue-first', 73.7, 17.7, 8.6, 1, 15, 84, 34, 114, 112, 0.79),
    ('lanl-cm5-first', 61.5, 34, 4.5, 2, 41, 57, 74, 92, 244, 0.52)
) AS quoted (workload, n_s, n_m, n_l, w_s, w_m, w_l, s_s, s_m, s_l, long_narrow);

INSERT INTO printed_values
SELECT
    'Kanavallil 2007', place, workload, policy, unnest(['groups_medium', 'groups_long', 'groups', 'grouped_share']), 'all',
    unnest([medium, long, medium + long, share / 100])
FROM (
    VALUES
    ('Table 7, page 54', 'seed-71', 'pect_o', 24, 31, 17),
    ('Table 7, page 54', 'seed-35', 'pect_o', 23, 38, 19),
    ('Table 7, page 54', 'seed-31', 'pect_o', 20, 39, 18),
    ('Table 7, page 54', 'seed-73', 'pect_o', 30, 29, 18),
    ('Table 7, page 54', 'seed-7', 'pect_o', 37, 32, 23),
    ('Table 7, page 54', 'seed-13', 'pect_o', 29, 27, 16.5),
    ('Table 7, page 54', 'sdsc-blue-first', 'pect_o', 9, 0, 3),
    ('Table 7, page 54', 'lanl-cm5-first', 'pect_o', 50, 11, 19),
    ('Table 9, page 66', 'seed-31', 'pect_o_ns', 35, 46, 30),
    ('Table 9, page 66', 'seed-35', 'pect_o_ns', 34, 39, 26),
    ('Table 9, page 66', 'seed-71', 'pect_o_ns', 39, 33, 25.5),
    ('Table 9, page 66', 'seed-73', 'pect_o_ns', 40, 32, 25.5),
    ('Table 9, page 66', 'seed-7', 'pect_o_ns', 41, 32, 26),
    ('Table 9, page 66', 'sdsc-blue-first', 'pect_o_ns', 18, 9, 8),
    ('Table 9, page 66', 'lanl-cm5-first', 'pect_o_ns', 81, 14, 36.5)
) AS quoted (place, workload, policy, medium, long, share);

INSERT INTO printed_values
SELECT
    'Kanavallil 2007', 'Table 8, page 63', workload, 'pect_o', unnest(['tree_nodes', 'pruned_tree_nodes', 'pruned_share']), 'all',
    unnest([tree_nodes, pruned, pruned / tree_nodes])
FROM (
    VALUES
    ('seed-71', 1709500, 69916),
    ('seed-31', 2308200, 92806),
    ('seed-35', 2530702, 211552),
    ('seed-73', 2115736, 113981),
    ('seed-7', 2340981, 112341)
) AS quoted (workload, tree_nodes, pruned);

-- Gaussier, Glesser, Reis and Trystram, Improving backfilling by using machine learning to predict running times, SC 2015: the
-- means of the simulated EASY schedules in the repository predictsim, from text, so that every printed digit is kept.
INSERT INTO printed_values
SELECT 'Gaussier et al. 2015', 'repository predictsim', 'published-' || log, 'easy-published', 'mean_bounded_slowdown_10', 'all',
    value::DOUBLE
FROM (
    VALUES
    ('sdsc-sp2', '87.8703241921987'),
    ('kth-sp2', '92.57653973362949'),
    ('ctc-sp2', '49.5712902189859'),
    ('sdsc-blue', '36.523363539312896'),
    ('cea-curie', '202.133161662561')
) AS quoted (log, value);
