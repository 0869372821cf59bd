"""What the command line shows: progress, tables, and one sentence when something is wrong."""
