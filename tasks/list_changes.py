"""What of a run's experiment is not any more as the run goes by it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from assay.evaluators.canonical import decode, spell
from assay.evaluators.errors import InputError
from assay.tasks.check_settings import named_secrets
from assay.tasks.experiment_settings import ExperimentSettings, Overrides
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan_document import plan_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.read_experiment import read_experiment
from assay.tasks.read_suite import read_suite
from assay.tasks.stored_plan import StoredAssessment, StoredPlan, parse_plan
from assay.tasks.targets import TargetIdentity, same_target, source_changed

_SHOWN = 40
_NOT_THE_RUNS: Final = ("store",)
"""Settings that say nothing of a run that is there."""


def identity_in(plan: StoredPlan) -> TargetIdentity:
    """Who the target of a plan is; raises InputError where the plan does not say it."""
    return TargetIdentity.from_wire(plan.target)


def changed_source(plan: StoredPlan, planned: PlannedRun) -> tuple[str, ...]:
    """A warning where the files of the target hold something else, under the same revision."""
    if not source_changed(identity_in(plan), planned.target.identity):
        return ()
    changed = "the files of the target have changed since the run was planned, and its revision not"
    return (f"{changed}: this run holds answers of both",)


def changed_code(plan: StoredPlan, planned: PlannedRun, run_id: str) -> tuple[str, ...]:
    """What the target and the evaluators are now, a phrase each, where they are other ones.

    Args:
        plan: What the run goes by.
        planned: What would go on.
        run_id: The run.
    """
    now = parse_plan(plan_document(planned), run_id)
    old, new = identity_in(plan), identity_in(now)
    changes = []
    if not same_target(old, new):
        changes.append(f"the target is now {_named(new)}, not {_named(old)}")
    before, after = list(_assessments(plan)), list(_assessments(now))
    if [one.ids for _, one in before] != [one.ids for _, one in after]:
        changes.append("it has other assessments")
    else:
        pairs = zip(before, after, strict=True)
        changed = {name for (name, one), (_, other) in pairs if one.meaning != other.meaning}
        changes += [f"{name} is graded by another evaluator" for name in sorted(changed)]
    return tuple(changes)


def changed_file(plan: StoredPlan) -> tuple[str, ...]:
    """What the experiment file says now, a phrase each, where it says something else.

    A file that is not there any more has not changed.
    """
    if plan.file is None or not plan.file.exists():
        return ()
    try:
        read = read_experiment(plan.file)
        settings = read.settings.with_overrides(Overrides.model_validate(plan.overrides))
        secrets = named_secrets(settings, read.place)
        changes = _changed_settings(plan.experiment, settings, secrets)
        return tuple(changes) or _changed_suite_file(plan, read.base)
    except InputError as error:
        return (f"the experiment file cannot be used ({error})",)


def _changed_settings(
    before: ExperimentSettings, after: ExperimentSettings, secrets: Secrets
) -> Iterator[str]:
    old = before.model_dump(mode="json", by_alias=True)
    new = decode(spell(secrets.mask_value(after.model_dump(mode="json", by_alias=True))))
    values = new if isinstance(new, dict) else {}
    for name in old:
        if name not in _NOT_THE_RUNS and old[name] != values[name]:
            yield f"{name} is now {_shown(values[name])}, not {_shown(old[name])}"


def _changed_suite_file(plan: StoredPlan, base: Path) -> tuple[str, ...]:
    suite = plan.experiment.suite
    if not isinstance(suite, str):
        return ()  # its entries are among the settings
    entries = [decode(one.entry) for one in read_suite(suite, base)]
    same = entries == [one.entry for one in plan.assessments]
    return () if same else (f"the suite file {_cut(suite)} has other assessments or settings",)


def _assessments(plan: StoredPlan) -> Iterator[tuple[str, StoredAssessment]]:
    for one in plan.assessments:
        yield f"assessment {one.id}", one
    for case_id, ones in plan.case_assessments.items():
        for one in ones:
            yield f"assessment {one.id} of case {case_id}", one


def _named(identity: TargetIdentity) -> str:
    revision = f" at revision {identity.revision}" if identity.revision else ""
    return f"{_cut(str(identity))}{revision}"


def _shown(value: object) -> str:
    return _cut(spell(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
