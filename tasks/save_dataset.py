"""Writing a dataset to a file that reads back as an equal one."""

from collections.abc import Iterable

from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import InputError, NotJson
from assay.tasks.datasets.case_row import DATASET
from assay.tasks.datasets.spell_case import case_members, spell_json, spell_yaml
from assay.tasks.documents.places import bounded, place_in
from assay.tasks.documents.read_document import extension
from assay.tasks.documents.write_text import write_text

_EXTENSIONS = (".jsonl", ".ndjson", ".json", ".yaml", ".yml")


def save_dataset(dataset: Dataset, url: str) -> None:
    """Put the cases into a file; reading it gives an equal dataset.

    The file is UTF-8 with a newline at its end, one case a line (in YAML, one member a line). JSON
    Lines has no place for the dataset's name, and no format for a fixture id that the host chose or
    for assessments that are Python objects: these are left out.

    Args:
        dataset: The cases.
        url: A path or fsspec URL ending in .jsonl, .ndjson, .json, .yaml or .yml.

    Raises:
        InputError: the extension is another one, a case holds something that JSON cannot, or the
            place cannot be written; what was there before is still there.
    """
    write_text(url, _spelled(dataset, url), kind=DATASET)


def _spelled(dataset: Dataset, url: str) -> str:
    match extension(url):
        case ".jsonl" | ".ndjson":
            # A blank line, since an empty file is refused as cut off.
            return "".join(f"{spell_json(case)}\n" for case in _cases(dataset, url)) or "\n"
        case ".json":
            return _spell_json_document(dataset, _cases(dataset, url))
        case ".yaml" | ".yml":
            return _spell_yaml_document(dataset, _cases(dataset, url))
        case other:
            msg = f"expected a file ending in {', '.join(_EXTENSIONS)}, got {bounded(other)}"
            raise InputError(msg, place=place_in(url), kind=DATASET)


def _cases(dataset: Dataset, url: str) -> Iterable[dict[str, object]]:
    for case in dataset:
        try:
            yield case_members(case)
        except NotJson as error:
            msg = f"case {bounded(case.id)}: {error}"
            raise InputError(msg, place=place_in(url), kind=DATASET) from error


def _spell_json_document(dataset: Dataset, cases: Iterable[dict[str, object]]) -> str:
    name = f'  "name": {spell_json(dataset.name)},\n' if dataset.name else ""
    lines = [f"    {spell_json(case)}" for case in cases]
    inside = "\n" + ",\n".join(lines) + "\n  " if lines else ""
    return f'{{\n{name}  "cases": [{inside}]\n}}\n'


def _spell_yaml_document(dataset: Dataset, cases: Iterable[dict[str, object]]) -> str:
    name = f"name: {spell_yaml(dataset.name)}\n" if dataset.name else ""
    blocks = [f"  - {_spell_yaml_case(case)}\n" for case in cases]
    return f"{name}cases:\n{''.join(blocks)}" if blocks else f"{name}cases: []\n"


def _spell_yaml_case(case: dict[str, object]) -> str:
    return "\n    ".join(f"{member}: {spell_yaml(value)}" for member, value in case.items())
