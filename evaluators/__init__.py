"""The language of evaluation: what a case, an execution, a report and a comparison mean."""
