"""Formats of dataset files: each module reads one of them into rows, or builds cases of rows."""
