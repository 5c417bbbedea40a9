"""What the code declares in several places, read without running it: routes and fee terms.

The texts are read, not imported, so that a changed copy of the tree can be asked as well.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from local.templates import read_template

MERCHANT_API = "functions/merchant_api/app.py"
ADVANCE_TEST_ORDER = "functions/advance_test_order/app.py"
CREATE_ORDER = "layers/common/orderdesk/web/merchant/create_order.py"
TEMPLATE = "template.yaml"
SAMPLES = "events"
CONTRACT = "docs/contract.md"
PRICING = "layers/common/orderdesk/domain/pricing.py"
MERCHANT_OPTIONS = "cli/orderdesk_cli/merchants/options.py"

_ROUTE = re.compile(r"/(?:merchant|test)/[A-Za-z]+")


def missing_routes(root: Path) -> dict[str, set[str]]:
    """Give the merchant routes that a place lacks while another has them, by place."""
    places = {
        MERCHANT_API: handled_routes(root),
        TEMPLATE: _template_routes(root),
        SAMPLES: _sample_routes(root),
        CONTRACT: set(_ROUTE.findall((root / CONTRACT).read_text(encoding="utf-8"))),
    }
    built = places[MERCHANT_API] | places[TEMPLATE] | places[SAMPLES]
    return {place: built - routes for place, routes in places.items() if built - routes}


def handled_routes(root: Path) -> set[str]:
    """Give the routes of createOrder's two routes, and of the other functions' tables."""
    routes = _literals(_assigned_in_class(root / CREATE_ORDER, "CreateRoute"))
    return {*routes, *_table(root / MERCHANT_API), *_table(root / ADVANCE_TEST_ORDER)}


def _table(app: Path) -> Iterator[str]:
    module = ast.parse(app.read_text(encoding="utf-8"))
    [table] = (
        node.value
        for node in module.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == "ROUTES"
    )
    assert isinstance(table, ast.Dict)
    return _literals(key for key in table.keys if key is not None)


def fee_terms_without_option(root: Path) -> set[str]:
    """Give the terms of FeePolicy that `merchant add` and `merchant set` have no option for."""
    terms = {name.removesuffix("_micro") for name in _fields(root / PRICING, "FeePolicy")}
    return terms - _fields(root / MERCHANT_OPTIONS, "MerchantOptions")


def _template_routes(root: Path) -> set[str]:
    resources: dict[str, Any] = read_template(root / TEMPLATE)["Resources"]
    paths = {
        event["Properties"]["Path"]
        for resource in resources.values()
        for event in resource.get("Properties", {}).get("Events", {}).values()
        if resource["Type"] == "AWS::Serverless::Function" and event["Type"] == "Api"
    }
    return {path for path in paths if _ROUTE.fullmatch(path)}


def _sample_routes(root: Path) -> set[str]:
    files = [*(root / SAMPLES).rglob("*.json"), root / SAMPLES / "samples.py"]
    texts = (file.read_text(encoding="utf-8") for file in files)
    return {route for text in texts for route in _ROUTE.findall(text)}


def _class(path: Path, name: str) -> ast.ClassDef:
    module = ast.parse(path.read_text(encoding="utf-8"))
    [found] = (n for n in module.body if isinstance(n, ast.ClassDef) and n.name == name)
    return found


def _fields(path: Path, name: str) -> set[str]:
    return {
        node.target.id
        for node in _class(path, name).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def _assigned_in_class(path: Path, name: str) -> Iterator[ast.expr]:
    return (node.value for node in _class(path, name).body if isinstance(node, ast.Assign))


def _literals(nodes: Iterator[ast.expr]) -> Iterator[str]:
    for node in nodes:
        assert isinstance(node, ast.Constant)
        assert isinstance(node.value, str)
        yield node.value
