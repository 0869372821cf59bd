"""Worker processes for evaluators that can hold the interpreter."""
