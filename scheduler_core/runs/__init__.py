"""What a run is, how it is made and how it is written: simulate, folders of runs, batches of cells, comparisons."""
