"""The ready-made evaluators, as a list, or one of them with its settings and an example."""

import json
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from assay.evaluators.ready_made import ReadyMade
from assay.flows.terminal.console import is_narrow


def show_evaluators(console: Console, evaluators: Mapping[str, ReadyMade], *, whole: bool) -> None:
    """Print a line for each evaluator, or all that there is to know of each.

    Args:
        console: Where to.
        evaluators: By their names in suites.
        whole: Print the settings and the example too.
    """
    if whole:
        for use, evaluator in evaluators.items():
            _show_one(console, use, evaluator)
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("evaluator", no_wrap=True)
    if not is_narrow(console):
        table.add_column("yields")
    table.add_column("what it says")
    for use, evaluator in evaluators.items():
        cells = [use, evaluator.descriptor.description]
        if not is_narrow(console):
            cells.insert(1, ", ".join(evaluator.guide.yields))
        table.add_row(*cells)
    console.print(table)
    console.print("\nassay evaluators NAME shows the settings and an example")


def _show_one(console: Console, use: str, evaluator: ReadyMade) -> None:
    console.print(f"{use}\n\n{evaluator.definition}\n")
    facts = Table(box=None, pad_edge=False, show_edge=False, show_header=False)
    facts.add_row("yields", ", ".join(evaluator.guide.yields))
    facts.add_row("requires", ", ".join(evaluator.descriptor.requires) or "nothing in particular")
    if evaluator.guide.extra:
        facts.add_row("install", f"pip install 'assay-evals[{evaluator.guide.extra}]'")
    console.print(facts)
    if evaluator.settings:
        console.print()
        console.print(_settings(evaluator))
    console.print("\nexample, as an entry of a suite")
    console.print(f"  - {_text(example_entry(use, evaluator))}", soft_wrap=True)
    passes = {**evaluator.guide.case, **evaluator.guide.receipt}
    if passes:
        console.print("it passes", _text(passes), soft_wrap=True)


def _settings(evaluator: ReadyMade) -> Table:
    table = Table(box=None, pad_edge=False, show_edge=False)
    for heading in ("setting", "type", "default", "meaning"):
        table.add_column(heading, overflow="fold")
    for setting in evaluator.settings:
        default = "required" if setting.default is None else setting.default
        table.add_row(setting.name, setting.type, default, setting.meaning)
    return table


def example_entry(use: str, evaluator: ReadyMade) -> dict[str, object]:
    """The evaluator's example as an entry of a suite."""
    entry: dict[str, object] = {"id": evaluator.descriptor.name, "use": use}
    if evaluator.guide.settings:
        entry["with"] = dict(evaluator.guide.settings)
    return entry


def _text(value: object) -> str:
    # Every JSON text is YAML too.
    return json.dumps(value, ensure_ascii=False)


def evaluators_payload(evaluators: Mapping[str, ReadyMade]) -> dict[str, object]:
    """The object that `--json` prints."""
    return {
        "evaluators": [_one(use, evaluator) for use, evaluator in evaluators.items()],
        "exit_code": 0,
    }


def _one(use: str, evaluator: ReadyMade) -> dict[str, object]:
    descriptor, guide = evaluator.descriptor, evaluator.guide
    return {
        "use": use,
        "revision": descriptor.revision,
        "description": descriptor.description,
        "definition": evaluator.definition,
        "requires": list(descriptor.requires),
        "yields": list(guide.yields),
        "extra": guide.extra or None,
        "settings": [
            {
                "name": setting.name,
                "type": setting.type,
                "required": setting.default is None,
                "default": None if setting.default is None else json.loads(setting.default),
                "meaning": setting.meaning,
            }
            for setting in evaluator.settings
        ],
        "example": {
            "entry": example_entry(use, evaluator),
            "case": dict(guide.case),
            "receipt": dict(guide.receipt),
        },
    }
