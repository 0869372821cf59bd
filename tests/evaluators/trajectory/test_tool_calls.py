"""Recorded tool calls against expected ones."""

import asyncio
import itertools
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.case import Case
from assay.evaluators.errors import (
    IncompleteRecording,
    InvalidEvaluatorConfig,
    Skip,
    classify,
)
from assay.evaluators.execution import Execution, ToolCall
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory import InvalidSample, tool_calls

Grade = Callable[..., Report]
Arguments = dict[str, object]
Call = tuple[str, Arguments | None]
Row = tuple[str, list[Call], list[Call], str, dict[str, bool]]

MODES = ("exact", "in_order", "any_order", "subset")


def calls(names: str) -> list[Call]:
    """Calls of tools by name; an actual one then has no arguments, an expected one any."""
    return [(name, None) for name in names.split()]


def s(**arguments: object) -> Call:
    """A call of the tool `s`."""
    return "s", arguments


TABLE: list[Row] = [
    ("J1", calls("T1 T2 T3"), calls("T1 T2 T3"), "1111", {}),
    ("J2", calls("T1 X T2 Y T3 Z"), calls("T1 T2 T3"), "0101", {}),
    ("J3", calls("T2 T1 T3"), calls("T1 T2 T3"), "0011", {}),
    ("J4", calls("T1 T2"), calls("T1 T2 T3"), "0000", {}),
    ("J5", calls("T1 T2 T3"), calls("T1 T2"), "0101", {}),
    ("J6", [], [], "1111", {}),
    ("J7", calls("T1"), [], "0101", {}),
    ("J8", [], calls("T1"), "0000", {}),
    ("J9", calls("A A"), calls("A"), "0101", {}),
    ("J10", calls("A"), calls("A A"), "0000", {}),
    ("J11", calls("B A B"), calls("A B"), "0101", {}),
    ("J12", [s(q="a")], [s(q="b")], "0000", {}),
    ("J12 ignore_args", [s(q="a")], [s(q="b")], "1111", {"ignore_args": True}),
    ("J13", [s(q="x", n=1)], [s(q="x")], "0000", {}),
    ("J13 partial_args", [s(q="x", n=1)], [s(q="x")], "1111", {"partial_args": True}),
    ("J14", [s(n=1)], [s(n=1.0)], "1111", {}),
    ("J15", [s(n=1)], [s(n="1")], "0000", {}),
    ("J16", [s(n=True)], [s(n=1)], "0000", {}),
    ("J17", [s(l=[1, 2])], [s(l=[2, 1])], "0000", {}),
    ("J18", [s(q="x"), s(q="y")], [s(q="y"), s(q="x")], "0011", {}),
    ("J19", [s(q="x"), s(q="y")], [("s", None), s(q="x")], "0011", {}),
    ("J20", [s(q=1)], [s()], "0000", {}),
    ("J20 partial_args", [s(q=1)], [s()], "1111", {"partial_args": True}),
    ("J20 any arguments", [s(q=1)], [("s", None)], "1111", {}),
    ("J21", [s(f={"a": 1, "b": 2}, z=0)], [s(f={"a": 1})], "1111", {"partial_args": True}),
    ("J22", [s(l=[{"a": 1, "b": 2}])], [s(l=[{"a": 1}])], "0000", {"partial_args": True}),
    (
        "J23",
        [("a", {"x": 2}), ("c", {}), ("b", {})],
        [("a", {"x": 1}), ("b", None)],
        "0101",
        {"ignore_args": True},
    ),
    ("J24", [("s", None)], [s()], "1111", {}),
]


def actual(pairs: list[Call]) -> list[ToolCall]:
    """Recorded calls."""
    return [ToolCall(name=name, arguments=arguments) for name, arguments in pairs]


def expected(pairs: list[Call]) -> list[dict[str, object]]:
    """Expected calls as a suite writes them."""
    return [
        {"name": name} if arguments is None else {"name": name, "arguments": arguments}
        for name, arguments in pairs
    ]


@pytest.mark.parametrize("mode", range(4), ids=MODES)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: str(row[0]))
def test_calls_correspond_as_the_table_says(grade: Grade, row: Row, mode: int) -> None:
    """Library 17.3, J1 to J24; in bold where ADK says otherwise (booleans, unsent arguments)."""
    _, made, wanted, passes, options = row
    report = grade(
        "tool_calls", actual(made), match=MODES[mode], expected=expected(wanted), **options
    )
    assert report.verdict == ("pass" if passes[mode] == "1" else "fail")
    assert report.score == float(passes[mode])
    assert bool(report.feedback) == (passes[mode] == "0")


def test_every_row_of_the_table_is_here() -> None:
    """J1 to J24, none left out."""
    numbers = {label.split()[0] for label, *_ in TABLE}
    assert numbers == {f"J{number}" for number in range(1, 25)}


@pytest.mark.parametrize("key", ["arguments", "args"])
def test_expectations_come_from_the_case_where_the_suite_has_none(grade: Grade, key: str) -> None:
    """Library 4: expected=None reads metadata.tool_calls; an empty list there is an expectation."""
    metadata = {"tool_calls": [{"name": "s", key: {"q": 1}}]}
    assert grade("tool_calls", actual([s(q=1)]), metadata).verdict == "pass"
    assert grade("tool_calls", actual([s(q=2)]), metadata).verdict == "fail"
    assert grade("tool_calls", actual([s(q=1)]), {"tool_calls": []}).verdict == "fail"
    assert grade("tool_calls", (), {"tool_calls": []}).verdict == "pass"
    assert grade("tool_calls", (), metadata, expected=[]).verdict == "pass"


def test_without_any_expectation_it_does_not_apply(grade: Grade) -> None:
    """Library 4: no such key is skipped, never passed."""
    with pytest.raises(Skip, match=r"metadata\.tool_calls"):
        grade("tool_calls", actual([s(q=1)]))


@pytest.mark.parametrize(
    "malformed",
    [None, "s", {"name": "s"}, ["s"], [{}], [{"name": ""}], [{"name": "s", "argument": {}}]],
)
def test_a_malformed_expectation_of_a_case_is_no_verdict(grade: Grade, malformed: object) -> None:
    """Library 4: an evaluator error, because the answer is not what is wrong."""
    with pytest.raises(InvalidSample, match=r"metadata\.tool_calls") as caught:
        grade("tool_calls", (), {"tool_calls": malformed})
    assert classify(caught.value) == "invalid_input"


@pytest.mark.parametrize(
    ("settings_given", "message"),
    [
        ({"match": "any"}, "match: expected a value 'exact', 'in_order', 'any_order' or 'subset'"),
        ({"expected": [{"nme": "s"}]}, "expected: "),
        ({"expected": [{"name": "s", "args": {}, "arguments": {}}]}, "expected: "),
        ({"expected": [{"name": "s", "optional": ["q"]}]}, "optional: expected names of its arg"),
        (
            {"expected": [{"name": "s", "arguments": {"q": 1}, "accepted": {"q": [1]}}]},
            "accepted: expected names beside the arguments, got 'q'",
        ),
        ({"mode": "exact"}, "expected settings out of match, expected, ignore_args, partial_args"),
    ],
)
def test_wrong_settings_are_found_before_anything_runs(
    settings_given: dict[str, object], message: str
) -> None:
    """A suite that cannot mean what it says is refused when it is read."""
    with pytest.raises(InvalidEvaluatorConfig, match=message):
        tool_calls.configured(settings_given)


def test_calls_that_nobody_recorded_are_unverified(grade: Grade) -> None:
    """An absent recording is not an empty one."""
    with pytest.raises(IncompleteRecording):
        grade("tool_calls", None, expected=[])
    assert tool_calls.descriptor.requires == ("tool_operation",)


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        ('{"q": 1}', "pass"),
        ('{"q": 1.0}', "pass"),
        ({"q": 1}, "pass"),
        ('{"q": 1', "fail"),
        ('{"q": 1, "q": 1}', "fail"),
        ("[1]", "fail"),
        ("", "fail"),
        (None, "fail"),
    ],
)
def test_arguments_that_are_a_text_are_decoded(
    grade: Grade, arguments: object, verdict: str
) -> None:
    """Providers send JSON texts; a broken one equals nothing and breaks nothing."""
    made = [ToolCall(name="s", arguments=arguments)]
    assert grade("tool_calls", made, expected=expected([s(q=1)])).verdict == verdict


def test_several_values_may_be_right_and_some_left_out(grade: Grade) -> None:
    """Accepted answers, as the function-calling leaderboard has them."""
    wanted = [
        {
            "name": "s",
            "arguments": {"base": 10},
            "accepted": {"unit": ["cm", "centimetre"], "side": ["a"]},
            "optional": ["unit"],
        }
    ]
    verdicts = [
        grade("tool_calls", actual([s(**arguments)]), expected=wanted).verdict
        for arguments in (
            {"base": 10, "unit": "cm", "side": "a"},
            {"base": 10, "side": "a"},
            {"base": 10, "unit": "m", "side": "a"},
            {"base": 10, "unit": "cm"},
            {"base": 10, "unit": "cm", "side": "a", "more": 1},
        )
    ]
    assert verdicts == ["pass", "pass", "fail", "fail", "fail"]


@pytest.mark.parametrize(
    ("made", "wanted", "match", "reason"),
    [
        (calls("a"), calls("a b"), "exact", "missing b(...)"),
        (calls("a b"), calls("a"), "exact", "unexpected b({})"),
        ([s(q=1)], [s(q=2)], "subset", 'expected s({"q":2}), got arguments {"q":1}'),
        (calls("b a"), calls("a b"), "in_order", 'expected the order ["a","b"], got ["b","a"]'),
        (
            [],
            calls("a b c d e f"),
            "subset",
            "missing a(...); missing b(...); missing c(...); missing d(...); and 2 more",
        ),
    ],
)
def test_the_reason_says_what_differs(
    grade: Grade, made: list[Call], wanted: list[Call], match: str, reason: str
) -> None:
    """Missing, unexpected, wrong arguments, wrong order: each named, few of them, in short."""
    report = grade("tool_calls", actual(made), match=match, expected=expected(wanted))
    assert report.feedback.startswith(reason)
    assert len(report.feedback) < 200


NAMES = st.sampled_from("ab")
VALUES = st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, 2]), max_size=2)
MADE = st.lists(st.tuples(NAMES, VALUES), max_size=4)
WANTED = st.lists(st.tuples(NAMES, st.none() | VALUES), max_size=4)


@settings(max_examples=40)
@given(made=MADE, wanted=WANTED, partial=st.booleans())
def test_a_pairing_is_found_whenever_there_is_one(
    made: list[Call], wanted: list[Call], partial: object
) -> None:
    """Against trying every order: greedy pairing fails this with open arguments."""
    given_settings = {"expected": expected(wanted), "partial_args": partial}
    any_order, exact = (
        tool_calls.configured({**given_settings, "match": match})
        for match in ("any_order", "exact")
    )
    found = any(passes(exact, list(order)) for order in itertools.permutations(made))
    assert passes(any_order, made) == found


def passes(evaluator: ReadyMade, made: list[Call]) -> bool:
    """Whether the evaluator passes these calls."""
    execution = Execution(output=1, tool_calls=tuple(actual(made)))
    return evaluator.grade(Sample(Case(id="c", input=1), execution)).verdict == "pass"


@settings(max_examples=40)
@given(made=MADE, wanted=WANTED)
def test_a_stricter_match_implies_a_looser_one(
    grade: Grade, made: list[Call], wanted: list[Call]
) -> None:
    """Exact within in_order and any_order, both within subset; fewer arguments never fail more."""
    passed = {
        (match, loose): grade(
            "tool_calls", actual(made), match=match, expected=expected(wanted), ignore_args=loose
        ).verdict
        == "pass"
        for match in MODES
        for loose in (False, True)
    }
    for loose in (False, True):
        assert passed["exact", loose] <= passed["in_order", loose] <= passed["subset", loose]
        assert passed["exact", loose] <= passed["any_order", loose] <= passed["subset", loose]
    assert all(passed[match, False] <= passed[match, True] for match in MODES)


def test_one_object_serves_concurrent_trials() -> None:
    """Fault B53: each trial gets the verdict on its own calls."""
    shared = tool_calls.configured({"expected": expected([s(q=1)])})
    samples = [
        Sample(Case(id="c", input=1), Execution(output=1, tool_calls=tuple(actual([s(q=one)]))))
        for one in range(20)
    ]

    async def together() -> list[Report]:
        return list(await asyncio.gather(*map(shared.evaluate, samples)))

    verdicts = [report.verdict for report in asyncio.run(together())]
    assert verdicts == ["fail", "pass", *["fail"] * 18]


def test_many_equal_calls_are_paired_in_time(grade: Grade) -> None:
    """A run of hundreds of calls is graded like any other."""
    made = actual([s(q=number) for number in range(300)])
    wanted = expected([("s", None)] * 299 + [s(q=0)])
    assert grade("tool_calls", made, match="any_order", expected=wanted).verdict == "pass"
