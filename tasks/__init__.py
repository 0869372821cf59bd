"""Verbs of the host: everything that reads, writes, calls or renders, one verb a file."""
