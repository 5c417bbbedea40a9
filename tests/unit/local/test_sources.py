"""What `make deploy` must do, by the files that changed."""

import pytest

from local import sources

BEFORE = {
    "architecture": "x86_64",
    "template.yaml": "t",
    "functions/create_order/app.py": "a",
    "functions/create_order/requirements.txt": "r",
    "functions/pay_page/app.py": "p",
    "functions/pay_page/pages/gone.html": "g",
    "layers/common/orderdesk/__init__.py": "o",
}


CREATE, LAYER = "functions/create_order/", "layers/common/orderdesk/"
GONE = "functions/pay_page/pages/gone.html"


@pytest.mark.parametrize(
    ("changes", "changed"),
    [
        ({}, set()),
        (
            {
                f"{CREATE}app.py": "b",
                f"{CREATE}new.py": "n",
                "functions/pay_page/pages/gone.html": None,
            },
            {"functions/create_order", "functions/pay_page"},
        ),
        ({f"{LAYER}__init__.py": "p", f"{LAYER}n.py": "n"}, {"layers/common"}),
    ],
    ids=["nothing", "functions", "layer"],
)
def test_code_that_changed_came_or_went(changes: dict[str, str | None], changed: set[str]) -> None:
    now = {name: text for name, text in {**BEFORE, **changes}.items() if text is not None}
    assert sources.changed_code(BEFORE, now) == frozenset(changed)


@pytest.mark.parametrize(
    "file",
    [
        "architecture",
        "template.yaml",
        "samconfig.toml",
        "functions/README.md",
        "functions/create_order/requirements.txt",
        "layers/common/requirements.txt",
        "layers/common/build_layer.py",
        "layers/other/app.py",
    ],
)
def test_with_anything_else_everything_is_built(file: str) -> None:
    now = {**BEFORE, "functions/create_order/app.py": "b", file: "changed"}
    assert sources.changed_code(BEFORE, now) is None


def test_without_an_earlier_build_everything_is_built() -> None:
    assert sources.changed_code({}, BEFORE) is None


@pytest.mark.parametrize("text", ["", "cut off {", "[]", "null"])
def test_a_text_that_is_not_sources_is_no_earlier_build(text: str) -> None:
    assert sources.from_text(text) == {}


def test_what_is_kept_comes_back() -> None:
    assert sources.from_text(sources.to_text(BEFORE)) == BEFORE
