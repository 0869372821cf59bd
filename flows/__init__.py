"""Uses of Assay, one a file: the order in which tasks run, and the command line."""
