"""openapi-generator reads docs/openapi.yaml: its clients compile, place orders and read them.

The generated Go imports one module, and the generated Java one annotation, that are on no machine
of ours: stubs replace them. The generator's own archive has the other libraries of the Java client.
Of Rust the models are used: the generated calls need a library that Debian's packages do not have.
"""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from local.places import VENV_BIN
from tests.clients.languages import GO_ENVIRONMENT
from tests.clients.places import Place, new_number
from tests.support.openapi import FILE
from tests.support.programs import printed

TOOLS = Path(__file__).with_name("tools") / "node_modules"
UV = VENV_BIN / "uv"
GENERATED = Path(__file__).with_name("generated")
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
    "java": {
        "library": "native",
        # An absent `metadata` is not sent as {}, which the signature does not have.
        "additionalProperties": {"openApiNullable": "false", "containerDefaultToNull": "true"},
    },
    "go": {},
    "rust": {},
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
# The programs that place an order and read it, by their places beside the generated code. Their
# arguments are the base URL and the signed bodies of createOrder, queryOrder and listOrders.
PROGRAMS = {
    "typescript-fetch/order.mts": "order.mts",
    "go/cmd/main.go": "main.go",
    "java/Shop.java": "Shop.java",
    "rust/shop/src/main.rs": "main.rs",
    "rust/shop/Cargo.toml": "Cargo.toml",
}
TSC = (
    f"{TOOLS}/.bin/tsc --typeRoots {TOOLS}/@types --types node --strict --skipLibCheck"
    " --module nodenext --target es2022 order.mts"
)
JAVAC = "javac -proc:none -nowarn -d shop -cp $ARCHIVE $(find src -name '*.java') Shop.java"
CARGO = "cargo run --quiet --manifest-path shop/Cargo.toml"
CRATES = "/usr/share/cargo/registry"
if Path(CRATES).is_dir():  # Debian's packages: cargo downloads nothing
    CARGO += f""" --offline --config 'source.crates-io.replace-with="debian"' \\
        --config 'source.debian.directory="{CRATES}"'"""
RUN = {
    "typescript-fetch": f"{TSC} && node order.mjs",
    "go": f"{CHECKS['go']} && go run ./cmd",
    "java": f"{JAVAC} && java -cp shop:$ARCHIVE Shop",
    "rust": f"{CARGO} --",
}
PACKAGES = ("pydantic", "python-dateutil", "urllib3", "typing-extensions")


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    return printed(*command, cwd=cwd, env={**os.environ, **GO_ENVIRONMENT, **more})


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
    programs = {path: (GENERATED / name).read_text("utf-8") for path, name in PROGRAMS.items()}
    for path, text in (STUBS | programs).items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
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
    own = {"order_type": 1, "cny_amount": "100.00", "merchant_order_no": new_number("generated")}
    body = json.dumps(place.test_merchant.signed("/test/createOrder", own))
    printed = run(*python, "order.py", place.base_url, body, cwd=folder)
    assert place.test_merchant.query(order_no=printed.strip()).data["is_test"] == 1


@pytest.mark.parametrize("name", RUN)
def test_a_client_places_an_order_and_reads_it(generated: Path, place: Place, name: str) -> None:
    number = {"merchant_order_no": new_number("generated")}
    own = {"order_type": 1, "cny_amount": "100.00", **number}
    sign = place.test_merchant.signed
    bodies = [
        sign("/test/createOrder", own),
        sign("/merchant/queryOrder", number),
        sign("/merchant/listOrders", {"limit": 1}),
    ]
    archive = run(*WITH_GENERATOR, "python", "-c", ARCHIVE, cwd=generated).strip()
    arguments = shlex.join([place.base_url, *map(json.dumps, bodies)])
    printed = run("sh", "-c", f"{RUN[name]} {arguments}", cwd=generated / name, ARCHIVE=archive)
    order = place.test_merchant.query(**number).data
    assert printed.split() == [order["order_no"], str(order["order_id"]), "1"]
