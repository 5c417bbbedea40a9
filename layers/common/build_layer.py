"""Builds the layer: third-party packages, trimmed and compiled, and the orderdesk package.

One layer serves both architectures: pip runs once for each, and the two trees differ only in the
names of their native modules. So the deployment alone sets `Architecture`, whatever was built
before. The third-party part is cached under the hash of its requirements: after a change in the
code a rebuild only copies files.
"""

import ast
import compileall
import gzip
import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PLATFORMS = {
    "aarch64": ("manylinux2014_aarch64", "manylinux_2_28_aarch64"),
    "x86_64": ("manylinux2014_x86_64", "manylinux_2_28_x86_64"),
}
# A client is made from its service's model: reading S3's 110 operations takes longer than the rest.
OPERATIONS_USED = {
    "dynamodb": (
        "BatchGetItem",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "Scan",
        "TransactGetItems",
        "TransactWriteItems",
        "UpdateItem",
    ),
    "iam": ("GetRole", "SimulatePrincipalPolicy"),
    "kms": ("Decrypt", "Encrypt", "GenerateMac", "GetPublicKey", "Sign", "Verify"),
    "lambda": ("Invoke",),
    "s3": ("CreateBucket", "GetObject", "PutObject"),  # the first signs forms
    "secretsmanager": ("GetSecretValue",),
    "sqs": ("ChangeMessageVisibility", "SendMessage", "SendMessageBatch"),
}
# The files that a client is made from. Our code uses no botocore paginators or waiters.
MODEL_FILES = ("service-2", "endpoint-rule-set-1")
# Together 9 MB. We dispatch and parse events ourselves, use no pydantic 1, run no mypy in Lambda.
# Time zones come from Python's zoneinfo. botocore uses dateutil's parser and UTC only.
UNUSED_FOLDERS = (
    "aws_lambda_powertools/event_handler",
    "aws_lambda_powertools/utilities/auth_alpha",
    "aws_lambda_powertools/utilities/batch",
    "aws_lambda_powertools/utilities/circuit_breaker",
    "aws_lambda_powertools/utilities/data_classes",
    "aws_lambda_powertools/utilities/feature_flags",
    "aws_lambda_powertools/utilities/idempotency",
    "aws_lambda_powertools/utilities/parameters",
    "aws_lambda_powertools/utilities/parser",
    "charset_normalizer/cli",
    "dateutil/zoneinfo",
    "pydantic/v1",
    "urllib3/contrib/emscripten",
)
TEMPLATES = ("*.html", "*.css", "*.js")
UNUSED_FILES = (
    "*.dist-info/sboms/*",
    "dateutil/easter.py",
    "dateutil/parser/isoparser.py",
    "dateutil/rrule.py",
    "idna/cli.py",
    "pydantic/mypy.py",
    "segno/cli.py",
    "segno/helpers.py",
    "urllib3/contrib/pyopenssl.py",  # botocore imports it to find Python's own SSLContext
    # requests guesses encodings with them; the same modules are there in Python.
    "charset_normalizer/*.so",
)
# These would import further modules in every cold start. botocore's docstrings of clients are made
# by 13 modules. Few answers of AWS have a time as text. There are no plugins of pydantic to search
# for, and urllib3 only needs importlib.metadata to speak HTTP/2.
REPLACED = {
    "botocore/docs/__init__.py": "",
    "botocore/docs/docstring.py": """
def ClientMethodDocstring(**_):
    return ""


PaginatorDocstring = WaiterDocstring = ClientMethodDocstring
""",
    "dateutil/parser/__init__.py": """
def parse(*words, **options):
    from dateutil.parser._parser import parse

    return parse(*words, **options)
""",
    "pydantic/plugin/_loader.py": """
def get_plugins():
    return ()
""",
    "urllib3/http2/__init__.py": "",
}
NEVER_IMPORTED = ("tests", "test", "__pycache__", "bin")
RECIPE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def main(artifacts: Path) -> None:
    """Build the layer's content in `artifacts`."""
    target = artifacts / "python"
    shutil.copytree(third_party(Path("requirements.txt")), target, dirs_exist_ok=True)
    package = target / "orderdesk"
    shutil.copytree("orderdesk", package, ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    run_alone("build_templates.py", target)
    for template in (path for kind in TEMPLATES for path in package.rglob(kind)):
        template.unlink()  # the compiled ones are read
    compile_all(package, target)
    # What every cold start would compile again (orderdesk.cold_start).
    run_alone("build_cold_start.py", target, package / "compiled.marshal")


def third_party(requirements: Path) -> Path:
    """Return the folder of the installed requirements, from the cache if it is there."""
    key = hashlib.sha256(requirements.read_bytes() + RECIPE.encode()).hexdigest()[:16]
    cached = cache_root() / key
    if cached.is_dir():
        return cached
    cached.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f"{key}-", dir=cached.parent))
    for platforms in PLATFORMS.values():
        install(requirements, platforms, building)
    trim(building)
    compile_all(building, building, alone=True)
    building.chmod(0o755)
    try:
        building.rename(cached)  # atomic, so no other build sees a part of it
    except OSError:  # another build of the same was first
        shutil.rmtree(building)
    return cached


def cache_root() -> Path:
    """Return the cache's folder, which is outside the copy of the source that sam deletes."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "orderdesk" / "layer"


def install(requirements: Path, platforms: tuple[str, ...], target: Path) -> None:
    """Install for one architecture, wheels only, on top of the other architecture's files."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        command += ["--disable-pip-version-check", "--only-binary=:all:", "--target", folder]
        command += ["--implementation", "cp", "--python-version", "3.13"]
        command += [word for platform in platforms for word in ("--platform", platform)]
        subprocess.run([*command, "--requirement", str(requirements)], check=True)  # noqa: S603
        shutil.copytree(folder, target, dirs_exist_ok=True)


def trim(tree: Path) -> None:
    """Remove what no function reads; package metadata stays, for vulnerability scanners."""
    trim_models(tree / "botocore" / "data")
    for folder in UNUSED_FOLDERS:
        shutil.rmtree(tree / folder)
    trim_types(tree / "pydantic_core/core_schema.py")
    for name, text in REPLACED.items():
        (tree / name).write_text(text, encoding="utf-8")
    for file in (path for pattern in UNUSED_FILES for path in tree.glob(pattern)):
        file.unlink()
    for path in sorted(tree.rglob("*"), reverse=True):
        if path.is_dir() and path.name in NEVER_IMPORTED:
            shutil.rmtree(path)
    for record in tree.glob("*.dist-info/*"):
        if record.name != "METADATA" and record.is_file():
            record.unlink()
    for typing in (*tree.rglob("*.pyi"), *tree.rglob("*.pxd")):
        typing.unlink()


def trim_types(schemas: Path) -> None:
    """Empty pydantic's 71 typed dictionaries, whose 556 fields only a type checker reads."""
    tree = ast.parse(schemas.read_bytes())
    for part in tree.body:
        if isinstance(part, ast.ClassDef) and "Protocol" not in ast.unparse(part.bases[-1]):
            part.bases, part.keywords, part.body = [ast.Name("dict")], [], [ast.Pass()]
    schemas.write_text(ast.unparse(tree), encoding="utf-8")


def trim_models(data: Path) -> None:
    """Keep only the AWS service models that a cold start must read to make our clients.

    botocore makes a client from its service's model and from `endpoints.json`, which describes all
    services in 1.2 MB. Parsing them takes most of the time of making a client. So only our services
    are kept, without documentation and uncompressed.
    """
    for service in filter(Path.is_dir, data.iterdir()):
        versions = sorted(service.iterdir())
        unused = versions[:-1] if service.name in OPERATIONS_USED else [service]
        for folder in unused:
            shutil.rmtree(folder)
    for path in [*data.glob("*/*/*.json"), *data.glob("*/*/*.json.gz")]:
        if path.name.startswith(MODEL_FILES):
            packed = path.suffix == ".gz"
            text = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
            model = used_of(json.loads(text), path.parent.parent.name)
            write_json(path.with_suffix("") if packed else path, undocumented(model))
            if not packed:
                continue
        path.unlink()
    endpoints = json.loads((data / "endpoints.json").read_bytes())
    for partition in endpoints["partitions"]:
        services = partition["services"]
        partition["services"] = {n: s for n, s in services.items() if n in OPERATIONS_USED}
    write_json(data / "endpoints.json", endpoints)


def used_of(model: dict[str, Any], service: str) -> dict[str, Any]:
    """Keep the operations that we call, and the shapes that they reach."""
    if "operations" not in model:
        return model
    operations = {name: model["operations"][name] for name in OPERATIONS_USED[service]}
    shapes = model["shapes"]
    reached, found = set[str](), shapes_in(operations)
    while found:
        reached |= found
        found = shapes_in([shapes[name] for name in found]) - reached
    return {**model, "operations": operations, "shapes": {n: shapes[n] for n in sorted(reached)}}


def shapes_in(part: Any) -> set[str]:
    """Return the names of the shapes that a part of a model refers to, at every depth."""
    if isinstance(part, dict):
        own = {part["shape"]} if isinstance(part.get("shape"), str) else set[str]()
        return own.union(*map(shapes_in, part.values()))
    return set[str]().union(*map(shapes_in, part)) if isinstance(part, list) else set()


def undocumented(model: Any) -> Any:
    """Empty the documentation in a service's model, at every depth; botocore needs the keys."""
    if isinstance(model, list):
        return [undocumented(entry) for entry in model]
    if not isinstance(model, dict):
        return model
    return {
        name: "" if name == "documentation" and isinstance(entry, str) else undocumented(entry)
        for name, entry in model.items()
    }


def run_alone(name: str, *paths: Path) -> None:
    """Run a script of this folder in an interpreter that sees the layer only."""
    script = Path(__file__).with_name(name)
    command = [sys.executable, "-I", "-S", "-B", str(script), *map(str, paths)]
    subprocess.run(command, check=True)  # noqa: S603


def write_json(path: Path, value: Any) -> None:
    """Write compact JSON."""
    path.write_text(json.dumps(value, separators=(",", ":")), encoding="utf-8")


def compile_all(folder: Path, root: Path, *, alone: bool = False) -> None:
    """Compile with bytecode that stays valid, because SAM's zip dates every file 1980.

    If `alone`, the bytecode replaces the sources, which are a third of a library.
    """
    done = compileall.compile_dir(
        folder,
        quiet=1,
        legacy=alone,
        stripdir=root,
        prependdir=Path("/opt/python"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    if not done:
        raise SystemExit(f"{folder}: does not compile")
    for source in folder.rglob("*.py") if alone else ():
        source.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
