"""A true world and a false world for every claim of a study: a module per study, named as it is."""
