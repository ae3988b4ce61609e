"""Gang scheduling on the Ousterhout matrix: slots take turns, and in its slot a job runs on all its processors at once.

Sources: X. Huang, Adaptive space-time sharing with SCOJO, M.Sc. thesis, University of Windsor, 2004, chapters 6 and 7;
F. A. B. da Silva, Modelisation et analyse d'une classe d'algorithmes d'ordonnancement pour machines paralleles, doctoral
thesis, Universite Paris VI, 2000, chapters 3 to 5.
"""
