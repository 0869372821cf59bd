"""Files that hold one tree of values: JSON and YAML, strict, with the place of every value."""

from assay.tasks.documents.read_document import Document, read_document

__all__ = ["Document", "read_document"]
