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


def test_nothing_changed() -> None:
    assert sources.changed_code(BEFORE, dict(BEFORE)) == frozenset()


def test_the_code_of_functions_changed_came_or_went() -> None:
    now = {**BEFORE, "functions/create_order/app.py": "b", "functions/create_order/new.py": "n"}
    del now["functions/pay_page/pages/gone.html"]
    assert sources.changed_code(BEFORE, now) == frozenset(
        {"functions/create_order", "functions/pay_page"}
    )


def test_the_code_of_the_layer_changed() -> None:
    now = {
        **BEFORE,
        "layers/common/orderdesk/__init__.py": "p",
        "layers/common/orderdesk/n.py": "n",
    }
    assert sources.changed_code(BEFORE, now) == frozenset({"layers/common"})


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
