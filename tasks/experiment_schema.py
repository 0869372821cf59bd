"""The JSON Schema of experiment files, for editors.

The file `experiment.schema.json` beside this one is what this prints:
`python -m assay.tasks.experiment_schema`.
"""

import json
import sys

from assay.tasks.experiment_settings import ExperimentSettings

SCHEMA_FILE = "experiment.schema.json"
"""The shipped file, in this package."""


def experiment_schema() -> str:
    """The schema as indented JSON with a newline at its end."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **ExperimentSettings.model_json_schema(by_alias=True),
        "title": "Assay experiment",
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(experiment_schema())
