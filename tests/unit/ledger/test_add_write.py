"""The updates of Write.add: what it lowers has a lower bound, the rest has none."""

from typing import Any

from orderdesk.adapters.dynamodb.transactions import Write, never

LOST = never("a test")


def test_only_a_lowered_number_has_a_condition() -> None:
    write = Write.add("T", {"pk": "a"}, {"held": -5, "available": 5}, LOST)
    update = write.action["Update"]
    assert update["UpdateExpression"] == "ADD held :held, available :available"
    assert update["ConditionExpression"] == "held >= :least_held"
    values = {":held": {"N": "-5"}, ":available": {"N": "5"}, ":least_held": {"N": "5"}}
    assert update["ExpressionAttributeValues"] == values


def test_an_unbounded_number_may_be_negative() -> None:
    write = Write.add("T", {"pk": "a"}, {}, LOST, unbounded={"available": -5})
    assert "ConditionExpression" not in write.action["Update"]


def test_a_further_condition_is_joined_by_and() -> None:
    more: Any = {"condition": "attribute_exists(pk)", "clauses": "SET kind = :kind"}
    write = Write.add(
        *("T", {"pk": "a"}, {"held": -5}, LOST), **more, values={":kind": "k"}, returns_item=True
    )
    update = write.action["Update"]
    assert update["UpdateExpression"] == "ADD held :held SET kind = :kind"
    assert update["ConditionExpression"] == "attribute_exists(pk) AND held >= :least_held"
    assert update["ExpressionAttributeValues"][":kind"] == {"S": "k"}
    assert update["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"
