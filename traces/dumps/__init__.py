"""Importing what a batch system recorded: a dump of its accounting becomes a log in Standard Workload Format.

``importing.py`` joins the steps. A module per format (``slurm.py``, ``pbs.py``, ``lsf.py``, ``columns.py``) turns lines into
attempts (``attempt.py``), ``judge.py`` turns attempts into jobs by the rules of ``rules.py``, and ``writing.py`` makes the text
of the log. ``times.py`` reads clocks, ``separated.py`` columns, and ``recognise.py`` tells formats apart.
"""
