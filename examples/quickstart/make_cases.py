"""Write the cases of the quickstart from the data of the package `bfcl-eval`.

    pip install --no-deps --target somewhere bfcl-eval==2026.3.23
    PYTHONPATH=somewhere python make_cases.py > cases.jsonl

The result is the same, byte for byte, on every machine. `SOURCE.md` has its digest.
"""

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

QUESTIONS = "data/BFCL_v4_simple_python.json"
ANSWERS = "data/possible_answer/BFCL_v4_simple_python.json"


def case(question: Row, answer: Row) -> Row:
    """Return one case from a line of the questions and the line of the answers that has its id.

    Raises:
        ValueError: The lines have two ids, or more than one turn, function or accepted call.
    """
    if question["id"] != answer["id"]:
        message = f"{question['id']} stands beside the answer of {answer['id']}"
        raise ValueError(message)
    ((turn,),) = question["question"]
    (function,) = question["function"]
    (accepted,) = answer["ground_truth"]
    return {
        "id": question["id"],
        "input": {"question": turn["content"], "functions": [function]},
        "expected": accepted,
        "metadata": {
            "function": function["name"],
            "parameters": len(function["parameters"]["properties"]),
            "required": len(function["parameters"]["required"]),
        },
    }


def rows(file: Path) -> Iterator[Row]:
    """Yield the JSON value of every line of the file."""
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    """Write every case as one line of JSON to standard output."""
    package = importlib.util.find_spec("bfcl_eval")
    if package is None or package.origin is None:
        sys.exit("bfcl_eval cannot be imported: install it as the first lines of this file say")
    folder = Path(package.origin).parent
    for question, answer in zip(rows(folder / QUESTIONS), rows(folder / ANSWERS), strict=True):
        line = json.dumps(case(question, answer), ensure_ascii=False)
        sys.stdout.buffer.write(line.encode() + b"\n")


if __name__ == "__main__":
    main()
