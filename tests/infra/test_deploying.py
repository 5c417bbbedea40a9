"""docs/deploying.md has every parameter of the template, with its default."""

from tests.support.markdown import read_document, tables
from tests.support.template import template


def test_the_tables_have_every_parameter_and_its_default() -> None:
    found = tables(read_document("docs/deploying.md"), "Parameter", "Default")
    documented = {row[0].strip("`"): row[1].strip("`") for rows in found for row in rows}
    declared = template()["Parameters"]
    assert documented == {name: str(each["Default"]) for name, each in declared.items()}
