"""openapi-generator reads docs/openapi.yaml: its clients compile, and two of them place orders.

The generated Go imports one module, and the generated Java one annotation, that are on no machine
of ours: stubs replace them. The generator's own archive has the other libraries of the Java client.
"""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from local.places import VENV_BIN
from tests.clients.languages import GO_ENVIRONMENT, output_of
from tests.clients.places import Place, signed_test_buy
from tests.support.openapi import FILE

TOOLS = Path(__file__).with_name("tools") / "node_modules"
UV = VENV_BIN / "uv"
GENERATOR = "openapi-generator-cli==7.26.0"
WITH_GENERATOR = (UV, "tool", "run", "--python", sys.executable, "--from", GENERATOR)
ARCHIVE = "import openapi_generator_cli as it; print(it.__path__[0] + '/openapi-generator.jar')"
# Halves the CPU time of a short run.
JAVA = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
# The generator's name of each language, and its options.
LANGUAGES: dict[str, dict[str, Any]] = {
    "python": {},
    "typescript-fetch": {},
    "php": {},
    "ruby": {},
    "java": {"library": "native", "additionalProperties": {"openApiNullable": "false"}},
    "go": {},
}
NO_TESTS_OR_DOCS = dict.fromkeys(("apiDocs", "apiTests", "modelDocs", "modelTests"), "false")
STUBS = {
    "go/stub/go.mod": "module gopkg.in/validator.v2\n",
    "go/stub/stub.go": "package validator\n\nfunc Validate(interface{}) error { return nil }\n",
    "java/src/Generated.java": """package javax.annotation;
public @interface Generated { String[] value(); String date(); String comments(); }
""",
}
# Each is run by a shell in the folder of its generated client. TypeScript is compiled below.
CHECKS = {
    "python": f"{sys.executable} -m compileall -q .",
    "php": "find . -name '*.php' -print0 | xargs -0 -n 1 -P 2 php -l",
    "ruby": "find . -name '*.rb' -print0 | xargs -0 -n 1 -P 2 ruby -c",
    "java": "find src -name '*.java' | xargs javac -proc:none -nowarn -d classes -cp $ARCHIVE",
    "go": "go mod edit -replace gopkg.in/validator.v2=./stub && gofmt -e . > gofmt && go build .",
}
PYTHON = """
import sys
from openapi_client import ApiClient, Configuration, TestApi
from openapi_client.models import TestCreateOrderRequest
api = TestApi(ApiClient(Configuration(host=sys.argv[1])))
made = api.test_create_order(TestCreateOrderRequest.from_json(sys.argv[2]))
print(made.data.actual_instance.order_no)
"""
PACKAGES = ("pydantic", "python-dateutil", "urllib3", "typing-extensions")
TYPESCRIPT = """
import { Configuration, TestApi, TestBuyFromJSON } from "./index.js";
const [basePath, text] = process.argv.slice(2);
const api = new TestApi(new Configuration({ basePath }));
const testCreateOrderRequest = TestBuyFromJSON(JSON.parse(text));
const made = await api.testCreateOrder({ testCreateOrderRequest });
console.log("orderNo" in made.data ? made.data.orderNo : made);
"""


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    return output_of(*command, cwd=cwd, environment={**os.environ, **GO_ENVIRONMENT, **more})


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate all clients in one process; return the folder that has a folder for each."""
    work = tmp_path_factory.mktemp("generated")
    for name, options in LANGUAGES.items():
        settings = {
            "generatorName": name,
            "inputSpec": str(FILE),
            "outputDir": str(work / name),
            "globalProperties": NO_TESTS_OR_DOCS,
            **options,
        }
        (work / f"{name}.yaml").write_text(yaml.safe_dump(settings))
    settings_files = [f"{name}.yaml" for name in LANGUAGES]
    run(*WITH_GENERATOR, "openapi-generator-cli", "batch", *settings_files, cwd=work)
    for path, text in STUBS.items():
        (work / path).parent.mkdir(exist_ok=True)
        (work / path).write_text(text)
    return work


@pytest.mark.parametrize("name", CHECKS)
def test_a_generated_client_compiles(generated: Path, name: str) -> None:
    archive = run(*WITH_GENERATOR, "python", "-c", ARCHIVE, cwd=generated).strip()
    run("sh", "-c", CHECKS[name], cwd=generated / name, ARCHIVE=archive)


def test_the_python_places_an_order(generated: Path, place: Place) -> None:
    folder = generated / "python"
    (folder / "order.py").write_text(PYTHON)
    packages = [word for package in PACKAGES for word in ("--with", package)]
    python: list[str | Path] = [UV, "run", "--no-project", "--python", sys.executable, *packages]
    printed = run(*python, "order.py", place.base_url, signed_test_buy(place), cwd=folder)
    assert place.test_merchant.query(order_no=printed.strip()).data["is_test"] == 1


def test_the_typescript_compiles_and_places_an_order(generated: Path, place: Place) -> None:
    folder = generated / "typescript-fetch"
    (folder / "order.mts").write_text(TYPESCRIPT)
    types: list[str | Path] = ["--typeRoots", TOOLS / "@types", "--types", "node"]
    options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    run(TOOLS / ".bin" / "tsc", *options, *types, "order.mts", cwd=folder)
    printed = run("node", "order.mjs", place.base_url, signed_test_buy(place), cwd=folder)
    assert place.test_merchant.query(order_no=printed.strip()).data["is_test"] == 1
