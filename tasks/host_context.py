"""Where in Prefect this code runs."""

from uuid import UUID

from prefect.context import FlowRunContext


def flow_run_id() -> UUID | None:
    """The id of the surrounding flow run, or None outside of one."""
    context = FlowRunContext.get()
    return context.flow_run.id if context is not None and context.flow_run is not None else None
