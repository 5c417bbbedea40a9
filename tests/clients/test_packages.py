"""Each client's package is built, installed from the built file, and used."""

import json
import os
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from local.places import VENV_BIN
from tests.clients.languages import CLIENTS, GO_ENVIRONMENT, TYPESCRIPT
from tests.clients.scripted_server import ScriptedServer, answer
from tests.clients.trials import OFFLINE
from tests.support.programs import printed
from tools.client_packages import go, packages, zipped

UV = str(VENV_BIN / "uv")
NAMES = packages()
OLDER_TSC = Path(__file__).with_name("tools") / "node_modules" / ".bin" / "tsc"
MAVEN_REPOSITORY = "/usr/share/maven-repo"
MODULE = "git.shop.test/payments/orderdesk"

PHP = """<?php
require __DIR__ . '/vendor/autoload.php';
final class Shop {
    public function __construct(private readonly Orderdesk\\ClientInterface $client) {}
    public function sells(): string { return $this->client->createBuy('A-1', '100.50')['pay_url']; }
}
echo (new Shop(new Orderdesk\\Client($argv[1], 'mk', 'sk')))->sells(), "\\n";
"""
JAVA = """
import orderdesk.Api;
import orderdesk.Orderdesk;

final class Shop {
    public static void main(String[] args) throws Exception {
        var order = new Orderdesk(args[0], "mk_1", "sk_1").createBuy("A-1", "100.50");
        System.out.println(order.orderType() == 1 ? order.payUrl() : "not a buy");
    }
}
"""
GO = f"""package main

import (
	"context"
	"fmt"
	"os"

	"{MODULE}"
)

func main() {{
	client, err := orderdesk.New(os.Args[1], "mk_1", "sk_1")
	if err != nil {{
		panic(err)
	}}
	order, err := client.CreateBuy(context.Background(), "A-1", "100.50", orderdesk.BuyOptions{{}})
	fmt.Println(order.PayURL, err)
}}
"""


def run(*command: str | Path, cwd: Path, more: Mapping[str, str] | None = None) -> str:
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**plain, "MYPYPATH": "", **OFFLINE, "COMPOSER_HOME": str(cwd), **(more or {})}
    return printed(*command, cwd=cwd, env=environment)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the packages with the command."""
    folder = tmp_path_factory.mktemp("packages")
    run(sys.executable, "-m", "tools.client_packages", folder, cwd=CLIENTS.parent)
    return folder


@pytest.fixture
def bought(server: ScriptedServer, request: pytest.FixtureRequest) -> str:
    """Return the base URL of a server that answers one buy."""
    data = {"result_status": "success", "order_type": 1, "pay_url": "https://pay/1"}
    name = request.node.name.partition("[")[0]
    return server.play(f"package-{name}", [answer(1, 200, data)] * 2)


@pytest.mark.parametrize(
    "name", [NAMES.python, NAMES.python.replace("-py3-none-any.whl", ".tar.gz")]
)
def test_pip_installs_the_wheel_and_the_sdist(
    built: Path, tmp_path: Path, bought: str, name: str
) -> None:
    run(UV, "venv", "--quiet", "--python", sys.executable, "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    run(UV, "pip", "install", "--offline", "--python", python, built / name, cwd=tmp_path)
    script = (
        "import sys; from orderdesk_client import Orderdesk; from decimal import Decimal;"
        "print(Orderdesk(sys.argv[1], 'mk', 'sk').create_buy('A-1', Decimal('1E+2'))['pay_url'])"
    )
    assert run(python, "-c", script, bought, cwd=tmp_path) == "https://pay/1\n"
    listed = run(UV, "pip", "list", "--format=freeze", "--python", python, cwd=tmp_path)
    assert listed.startswith("orderdesk-client==")
    assert len(listed.splitlines()) == 1


@pytest.mark.parametrize("kind", ["mjs", "cjs"])
def test_npm_installs_the_tarball_for_import_and_require(
    built: Path, tmp_path: Path, bought: str, kind: str
) -> None:
    run("npm", "install", built / NAMES.javascript, cwd=tmp_path)
    found = {
        "mjs": 'import { Orderdesk, verifyCallback } from "orderdesk-client";',
        "cjs": 'const { Orderdesk, verifyCallback } = require("orderdesk-client");',
    }
    script = (
        'new Orderdesk(process.argv[2], "mk", "sk").createBuy("A-1", "1.00").then((order) => {'
        '  try { verifyCallback("whsec_abc", {}, ""); } catch (error) {'
        "    console.log(order.pay_url, error.name);"
        "  }"
        "});"
    )
    (tmp_path / f"shop.{kind}").write_text(found[kind] + script)
    assert run("node", f"shop.{kind}", bought, cwd=tmp_path) == "https://pay/1 InvalidCallback\n"


def test_the_tarball_has_discriminated_types(built: Path, tmp_path: Path) -> None:
    run("npm", "install", built / NAMES.javascript, cwd=tmp_path)
    programs = ["example.mjs", "reconcile.mjs", "receiver.mjs"]
    for name in programs:
        shutil.copy(CLIENTS / "javascript" / name, tmp_path)
    for name in ("consumer.ts", "plain.ts"):
        shutil.copy(TYPESCRIPT / name, tmp_path)
    modules = TYPESCRIPT / "node_modules"
    types = ("--typeRoots", str(modules / "@types"), "--types", "node")
    strict = ("--strict", "--noEmit", "--target", "es2022")
    options = (*strict, "--checkJs", "--module", "nodenext")
    run(modules / ".bin" / "tsc", *options, *types, "consumer.ts", *programs, cwd=tmp_path)
    bare = (*strict, "--lib", "es2022")
    run(modules / ".bin" / "tsc", *bare, "--module", "nodenext", "plain.ts", cwd=tmp_path)
    # TypeScript 7 no longer has the resolution that reads `main` and `types`.
    old = ("--module", "commonjs", "--moduleResolution", "node10")
    run(OLDER_TSC, *bare, *old, "plain.ts", cwd=tmp_path)


def test_the_tarball_has_the_files_that_npm_packs(built: Path, tmp_path: Path) -> None:
    with tarfile.open(built / NAMES.javascript) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
        archive.extractall(tmp_path, filter="data")
    packed = json.loads(run("npm", "pack", "--dry-run", "--json", cwd=tmp_path / "package"))
    assert names == {each["path"] for each in packed[0]["files"]}
    assert packed[0]["filename"] == NAMES.javascript


def test_the_declarations_were_written_after_the_last_change(tmp_path: Path) -> None:
    compiler = TYPESCRIPT / "node_modules" / ".bin" / "tsc"
    run(compiler, "--project", TYPESCRIPT, "--outDir", tmp_path, cwd=tmp_path)
    written = (CLIENTS / "javascript" / "orderdesk.d.mts").read_text("utf-8")
    assert written == (tmp_path / "orderdesk.d.mts").read_text("utf-8"), "make declarations"


def test_composer_installs_the_zip_and_it_sends_by_curl_and_by_streams(
    built: Path, tmp_path: Path, bought: str
) -> None:
    with zipfile.ZipFile(built / NAMES.php) as archive:
        archive.extractall(tmp_path)
    run("composer", "validate", "--no-check-publish", cwd=tmp_path / "orderdesk-client")
    shop = {
        "repositories": [{"type": "path", "url": "./orderdesk-client"}],
        "require": {"orderdesk/client": "*"},
    }
    (tmp_path / "composer.json").write_text(json.dumps(shop))
    run("composer", "install", "--quiet", cwd=tmp_path)
    (tmp_path / "shop.php").write_text(PHP)
    for transport in ([], ["-n"]):  # -n loads no extension: cURL, then streams
        assert run("php", *transport, "shop.php", bought, cwd=tmp_path) == "https://pay/1\n"


def test_maven_builds_a_jar_from_the_sources(built: Path, tmp_path: Path, bought: str) -> None:
    """On Debian its packages are the repository, so Maven downloads nothing."""
    sources = tmp_path / "src" / "main" / "java"
    with zipfile.ZipFile(built / NAMES.sources) as archive:
        archive.extractall(sources)
    shutil.copy(sources / "META-INF/maven/orderdesk/orderdesk-client/pom.xml", tmp_path)
    shutil.move(sources / "META-INF", tmp_path / "src" / "main" / "resources" / "META-INF")
    is_debian = Path(MAVEN_REPOSITORY).is_dir()
    offline = ["--offline", f"-Dmaven.repo.local={MAVEN_REPOSITORY}"] if is_debian else []
    maven = ("mvn", "--batch-mode", "--quiet", *offline)
    assert "WARNING" not in run(*maven, "package", cwd=tmp_path)
    (tmp_path / "Shop.java").write_text(JAVA)
    jar = "target/" + NAMES.java
    assert run("java", "-cp", jar, "Shop.java", bought, cwd=tmp_path) == "https://pay/1\n"


def test_the_jar_of_the_sources_compiles_with_a_program(
    built: Path, tmp_path: Path, bought: str
) -> None:
    (tmp_path / "Shop.java").write_text(JAVA)
    strict = ("javac", "-Xlint:all,-options", "-Werror", "--release", "17", "-d", "classes")
    run(*strict, "-cp", built / NAMES.sources, "Shop.java", cwd=tmp_path)
    assert run("java", "-cp", "classes", "Shop", bought, cwd=tmp_path) == "https://pay/1\n"


def test_the_jar_has_classes_and_its_pom(built: Path, tmp_path: Path, bought: str) -> None:
    (tmp_path / "Shop.java").write_text(JAVA)
    jar = built / NAMES.java
    assert run("java", "-cp", jar, "Shop.java", bought, cwd=tmp_path) == "https://pay/1\n"
    with zipfile.ZipFile(jar) as archive:
        names = set(archive.namelist())
    assert {"META-INF/LICENSE", "META-INF/maven/orderdesk/orderdesk-client/pom.xml"} <= names
    assert [name for name in names if name.endswith(".java")] == []


def test_go_gets_the_module_under_a_path_of_ones_own(tmp_path: Path, bought: str) -> None:
    version = "v" + NAMES.go.removeprefix("orderdesk-go-").removesuffix(".zip")
    proxy = tmp_path / "proxy" / MODULE / "@v"
    proxy.mkdir(parents=True)
    files = go(MODULE, f"{MODULE}@{version}/")
    (proxy / f"{version}.zip").write_bytes(zipped(files))
    (proxy / f"{version}.mod").write_bytes(dict(files)[f"{MODULE}@{version}/go.mod"])
    (proxy / f"{version}.info").write_text(json.dumps({"Version": version}))
    (proxy / "list").write_text(version)
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "main.go").write_text(GO)
    more = {**GO_ENVIRONMENT, "GOPROXY": f"file://{tmp_path}/proxy", "GOSUMDB": "off"}
    more |= {"GOMODCACHE": str(tmp_path / "modules"), "GOFLAGS": "-modcacherw"}
    for command in (["mod", "init", "shop"], ["get", f"{MODULE}@{version}"]):
        run("go", *command, cwd=shop, more=more)
    assert run("go", "run", ".", bought, cwd=shop, more=more) == "https://pay/1 <nil>\n"
