"""What can be under test: Python functions, programs and HTTP endpoints."""

from assay.tasks.targets.command import CommandTarget
from assay.tasks.targets.freeze import FrozenReceipt, freeze, receipt_digest
from assay.tasks.targets.function import FunctionTarget
from assay.tasks.targets.host_target import HostTarget, revised
from assay.tasks.targets.http import HttpTarget
from assay.tasks.targets.identity import TargetIdentity, same_target, source_changed

__all__ = [
    "CommandTarget",
    "FrozenReceipt",
    "FunctionTarget",
    "HostTarget",
    "HttpTarget",
    "TargetIdentity",
    "freeze",
    "receipt_digest",
    "revised",
    "same_target",
    "source_changed",
]
