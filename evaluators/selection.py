"""A part of a sample, put in the place of its output."""

import re
from dataclasses import dataclass
from typing import Self

from assay.evaluators.errors import IncompleteRecording, InvalidEvaluatorConfig, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.sample import Sample

_METADATA = "metadata."
_INDEX = re.compile("0|[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Selection:
    """What `select:` in a suite file names.

    Attributes:
        path: `input`, `output`, `expected`, `metadata.<key>`, or a JSON pointer (RFC 6901) into the
            output, such as `/answer/0`.
    """

    path: str

    @classmethod
    def parse(cls, path: str) -> Self:
        """The selection; raises InvalidEvaluatorConfig for any other text."""
        named = path in ("input", "output", "expected")
        keyed = path.startswith(_METADATA) and len(path) > len(_METADATA)
        if not (named or keyed or path.startswith("/")):
            msg = (
                "select: expected input, output, expected, metadata.<key> or a JSON pointer, "
                f"got {path[:60]!r}"
            )
            raise InvalidEvaluatorConfig(msg)
        return cls(path)

    def __call__(self, sample: Sample) -> Sample:
        """A sample whose output is the selected part.

        Raises:
            Skip: when the case has no such expected value or metadata.
            IncompleteRecording: when the output has no such part.
        """
        execution = Execution(
            status=sample.execution.status,
            reason=sample.execution.reason,
            output=self._value(sample),
        )
        return Sample(sample.case, execution, sample.repeat)

    def _value(self, sample: Sample) -> object:
        if self.path == "input":
            return sample.input
        if self.path == "output":
            return sample.output
        if self.path == "expected":
            return sample.expected
        if self.path.startswith(_METADATA):
            key = self.path[len(_METADATA) :]
            if key not in sample.metadata:
                msg = f"the case has no metadata {key[:60]!r}"
                raise Skip(msg)
            return sample.metadata[key]
        return _at_pointer(sample.output, self.path)


def _at_pointer(value: object, pointer: str) -> object:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            msg = f"the output has nothing at {pointer[:60]!r}"
            raise IncompleteRecording(msg)
    return value
