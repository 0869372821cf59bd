"""An experiment as a Python program writes it: the same parts as an experiment file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.evaluators.assessment import Assessment
from assay.evaluators.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: a dataset, a target and a suite, with the settings of an experiment file.

    Attributes:
        name: For people; part of the run's id.
        dataset: The cases; their inputs must have a JSON form.
        target: A function, a coroutine function, or an object with `run`.
        suite: The assessments.
        settings: Any other key of an experiment file, such as `repeats`, `retries` or `gates`.

    Examples:
        >>> from assay.evaluators.case import Case
        >>> from assay.evaluators.registry import find
        >>> Plan(
        ...     name="shout",
        ...     dataset=Dataset(cases=[Case(id="a", input="hi", expected="HI")]),
        ...     target=str.upper,
        ...     suite=[Assessment("exact", find("text.equals_expected"))],
        ...     settings={"repeats": 2},
        ... ).name
        'shout'
    """

    name: str
    dataset: Dataset
    target: object
    suite: Sequence[Assessment]
    settings: Mapping[str, object] = field(default_factory=dict)
