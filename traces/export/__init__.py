"""Writing workloads and schedules in formats that other programs read.

``swf.py`` writes workloads and schedules in the Standard Workload Format, and ``header.py`` its header comments. ``evalys.py``
writes schedules as the CSV of evalys, with processors that ``numbering.py`` numbers. ``exported.py`` has what they return: a
text, and what it could not hold.
"""
