"""What can go wrong between Assay and the files of the SWE-bench harness.

::

    AssayError
    ├── InvalidSelection      the tasks that were chosen
    ├── InvalidSubmission     the patches that were handed in
    ├── InvalidArtifacts      a file of the harness breaks its own rules, or contradicts another
    ├── ArtifactMismatch      a file of the harness belongs to another patch or task
    └── IncompleteRecording
        └── NoGrade           the harness gave no official report
"""

from assay.evaluators.errors import AssayError, IncompleteRecording


class InvalidSelection(AssayError):
    """A selection of tasks breaks a rule."""


class InvalidSubmission(AssayError):
    """A submission, or a path that is used for it, breaks a rule."""


class InvalidArtifacts(AssayError):
    """A file of the harness cannot be read, breaks a rule, or contradicts what was submitted."""


class ArtifactMismatch(AssayError):
    """A file of the harness belongs to another patch or another task than was submitted."""


class NoGrade(IncompleteRecording):
    """The harness gave no official report, so that there is nothing to score; never a zero."""
