"""Handing an object to a flow."""

import asyncio

from assay.flows.handover import Handover


def test_a_value_is_taken_once() -> None:
    """A retry of the flow must not run what is already done."""
    handover = Handover[str]("test_once")
    with handover.of("prepared"):
        assert handover.take() == "prepared"
        assert handover.take() is None
    assert handover.take() is None


def test_a_value_that_nobody_took_is_gone_with_its_block() -> None:
    """The next flow is another one."""
    handover = Handover[str]("test_gone")
    with handover.of("prepared"):
        pass
    assert handover.take() is None


def test_two_flows_at_the_same_time_get_their_own() -> None:
    """Each in its context."""
    handover = Handover[int]("test_own")

    async def flow(number: int) -> int | None:
        with handover.of(number):
            await asyncio.sleep(0.01)
            return await asyncio.create_task(taken())

    async def taken() -> int | None:
        return handover.take()

    async def both() -> list[int | None]:
        return list(await asyncio.gather(flow(1), flow(2)))

    assert asyncio.run(both()) == [1, 2]
