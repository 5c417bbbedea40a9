"""Write the clients' packages: `python -m tools.client_packages DIRECTORY [--go-module PATH]`.

A wheel and an sdist for pip, a tarball for npm, a zip file for composer, the sources for Maven as a
jar and, if a JDK is there, the classes as another, and a zip file of the Go module. The manifests
in `clients` have their names and version. Nothing is published.
"""

import gzip
import io
import json
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from local.places import VENV_BIN

CLIENTS = Path(__file__).parents[1] / "clients"
JAVA = CLIENTS / "java" / "src" / "main" / "java"
GO_MODULE = "orderdesk"
_SHARED = ("README.md", "LICENSE")
type Files = list[tuple[str, bytes]]


def packages() -> SimpleNamespace:
    """Return the files' names, without the sdist, with the version of the Python package."""
    project = tomllib.loads((CLIENTS / "python" / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    return SimpleNamespace(
        python=f"orderdesk_client-{version}-py3-none-any.whl",
        javascript=f"orderdesk-client-{version}.tgz",
        php=f"orderdesk-client-{version}.zip",
        java=f"orderdesk-client-{version}.jar",
        sources=f"orderdesk-client-{version}-sources.jar",
        go=f"orderdesk-go-{version}.zip",
    )


def write_packages(folder: Path, go_module: str = GO_MODULE) -> None:
    """Write the packages into a folder: of Python the wheel, of Java classes if a JDK is there."""
    names = packages()
    _build("--wheel", folder)
    (folder / names.javascript).write_bytes(_tarball(javascript()))
    (folder / names.php).write_bytes(zipped(php()))
    (folder / names.sources).write_bytes(zipped(java()))
    if has_jdk():
        (folder / names.java).write_bytes(zipped(java_classes()))
    (folder / names.go).write_bytes(zipped(go(go_module)))


def _build(kind: str, folder: Path) -> None:
    """Build a Python distribution; the setup has put the build backend into uv's cache."""
    uv: list[str | Path] = [VENV_BIN / "uv", "build", kind, "--quiet", "--offline"]
    uv += ["--no-create-gitignore", "--out-dir", folder, CLIENTS / "python"]
    subprocess.run(uv, check=True)


def javascript() -> Files:
    """Return the files of the npm package; those for CommonJS are written from the modules."""
    listed = json.loads((CLIENTS / "javascript" / "package.json").read_text("utf-8"))["files"]
    modules = [name for name in listed if name.endswith(("mjs", "mts"))]
    files = _read("javascript", ["package.json", *modules, *_SHARED], "package/")
    return files + [
        (name[: -len("mjs")] + kind, write(text.decode()).encode())
        for name, text in files
        for module, kind, write in (("mjs", "cjs", commonjs), ("mts", "cts", _declarations))
        if name.endswith(module)
    ]


def commonjs(module: str) -> str:
    """Return a JavaScript module of named imports and exports as CommonJS."""
    text = re.sub(r"(?m)^import (\{.*\}) from (\".*\");$", _required, module)
    names = re.findall(r"(?m)^export (?:async )?(?:const|class|function) (\w+)", text)
    plain = re.sub(r"(?m)^export ", "", text)
    return f'"use strict";\n{plain}\nmodule.exports = {{ {", ".join(names)} }};\n'


def _required(found: re.Match[str]) -> str:
    return f"const {found[1].replace(' as ', ': ')} = require({found[2]});"


def _declarations(module: str) -> str:
    return module.replace('./types.mjs"', './types.cjs"')


def php() -> Files:
    """Return the files of the composer package."""
    return _read("php", ["composer.json", "src/Orderdesk.php", *_SHARED], "orderdesk-client/")


def java(root: Path = JAVA, files: str = "*.java") -> Files:
    """Return the Maven package: its license, its pom, and some files below a folder."""
    meta = "META-INF/maven/orderdesk/orderdesk-client/"
    named = [("META-INF/LICENSE", CLIENTS / "java" / "LICENSE")]
    named += [(f"{meta}pom.xml", CLIENTS / "java" / "pom.xml")]
    named += [(path.relative_to(root).as_posix(), path) for path in sorted(root.rglob(files))]
    return [(name, path.read_bytes()) for name, path in named]


def has_jdk() -> bool:
    """Return whether the machine can compile Java; macOS has a javac that only asks for one."""
    if shutil.which("javac") is None:
        return False
    return subprocess.run(["javac", "-version"], capture_output=True, check=False).returncode == 0


def java_classes() -> Files:
    """Return the Maven package with classes instead of sources."""
    with TemporaryDirectory() as folder:
        sources = map(str, sorted(JAVA.rglob("*.java")))
        subprocess.run(["javac", "--release", "17", "-d", folder, *sources], check=True)
        return java(Path(folder), "*.class")


def go(module: str, prefix: str = "orderdesk/") -> Files:
    """Return the files of the Go module under a module path."""
    sources = [path.name for path in sorted((CLIENTS / "go").glob("*.go"))]
    found = _read("go", ["go.mod", *sources, *_SHARED], prefix)
    declared = f"module {module}".encode()
    return [
        (name, re.sub(rb"(?m)^module .*$", declared, text) if name.endswith("go.mod") else text)
        for name, text in found
    ]


def _read(language: str, names: list[str], prefix: str = "") -> Files:
    return [(prefix + name, (CLIENTS / language / name).read_bytes()) for name in names]


def zipped(files: Files) -> bytes:
    """Return a zip file. Equal files make equal bytes: each has the time of ZipInfo, 1980."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def _tarball(files: Files) -> bytes:
    """Return a gzipped tar file, without times."""
    out = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tools.client_packages")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--go-module", default=GO_MODULE)
    given = parser.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    write_packages(given.directory, given.go_module)
    _build("--sdist", given.directory)
