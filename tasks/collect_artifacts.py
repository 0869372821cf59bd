"""Collecting what the SWE-bench harness left in its folder; the folder is only read."""

import fsspec

from assay.evaluators.record import require_text
from assay.evaluators.swebench import Collection, InvalidArtifacts, Submission
from assay.tasks.documents.places import bounded_reason, without_credentials


def collect_artifacts(submission: Submission, folder: str) -> Collection:
    """What the harness made of the submission.

    Args:
        submission: What was handed in; its run id names the files.
        folder: The folder that the harness worked in, as a path or fsspec URL.

    Raises:
        ArtifactMismatch: a file belongs to another patch or task than was handed in.
        InvalidArtifacts: a file cannot be read, the totals are absent or break their form, or they
            differ from the tasks.
    """
    require_text(folder, "folder", InvalidArtifacts)
    system, root = fsspec.core.url_to_fs(folder)

    def read(path: str) -> bytes | None:
        try:
            content: bytes = system.cat_file(f"{root.rstrip('/')}/{path}")
        except FileNotFoundError:
            return None
        except Exception as error:
            reason = f"expected a readable file, got {bounded_reason(error)}"
            place = without_credentials(folder)
            raise InvalidArtifacts(f"{place}: {path}: {reason}") from error
        return content

    return Collection.gather(submission, read)
