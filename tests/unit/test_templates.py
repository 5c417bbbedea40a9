"""A template's loops, expanded exactly where CloudFormation expands them."""

import pytest

from local.templates import expand_loops

NAMES = {"Names": {"One": {"Name": "first"}, "Two": {"Name": "second"}}}


def loop(body: object) -> dict[str, object]:
    return {"Fn::ForEach::Loop": ["Each", ["One", "Two"], {"${Each}Thing": body}]}


@pytest.mark.parametrize(
    ("written", "one", "two"),
    [
        ({"Ref": "Each"}, "One", "Two"),
        ({"Ref": {"Fn::Sub": "${Each}Log"}}, {"Ref": "OneLog"}, {"Ref": "TwoLog"}),
        ({"Fn::Sub": "a-${Each}-${B}"}, {"Fn::Sub": "a-One-${B}"}, {"Fn::Sub": "a-Two-${B}"}),
        ({"Fn::FindInMap": ["Names", {"Ref": "Each"}, "Name"]}, "first", "second"),
        ([{"Deep": [{"Ref": "Each"}]}], [{"Deep": ["One"]}], [{"Deep": ["Two"]}]),
        ({"Ref": "Other"}, {"Ref": "Other"}, {"Ref": "Other"}),
        ("${Each} in plain text", "${Each} in plain text", "${Each} in plain text"),
        (60, 60, 60),
    ],
)
def test_a_body_is_repeated_for_each_item(written: object, one: object, two: object) -> None:
    expanded = expand_loops(loop({"Properties": {"It": written}}), NAMES)
    assert expanded == {
        "OneThing": {"Properties": {"It": one}},
        "TwoThing": {"Properties": {"It": two}},
    }


def test_what_is_no_loop_stays_in_its_place() -> None:
    resources = {"First": {"Type": "A"}, **loop({"Type": "B"}), "Last": {"Type": "C"}}
    assert list(expand_loops(resources, {})) == ["First", "OneThing", "TwoThing", "Last"]


def test_a_loop_takes_no_name_that_is_there() -> None:
    with pytest.raises(AssertionError, match="OneThing"):
        expand_loops({**loop({"Type": "A"}), "OneThing": {"Type": "B"}}, {})
