"""Builds the layer: third-party packages, trimmed and compiled, and the orderdesk package.

One layer serves both architectures: pip runs once for each, and the two trees differ only in the
names of their native modules. So `Architecture` stays a matter of the deployment alone, whatever
was built before. The third-party half is cached under the hash of its requirements: after a change
in the code a rebuild copies files only.
"""

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
AWS_SERVICES_USED = {"dynamodb", "kms", "s3", "secretsmanager", "sqs"}
# Of a service's files: what a client is made from. Nobody here paginates or waits.
MODEL_FILES = ("service-2", "endpoint-rule-set-1")
UNUSED = (
    "aws_lambda_powertools/event_handler",
    "pydantic/v1",
)  # 3.8 MB: own dispatch, no pydantic 1
NEVER_IMPORTED = ("tests", "test", "__pycache__", "bin")
RECIPE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def main(artifacts: Path) -> None:
    """Fill `artifacts` with what the layer ships."""
    target = artifacts / "python"
    shutil.copytree(third_party(Path("requirements.txt")), target, dirs_exist_ok=True)
    package = target / "orderdesk"
    shutil.copytree("orderdesk", package, ignore=shutil.ignore_patterns("__pycache__"))
    compile_all(package, target)
    keep_compiled(target, package / "compiled.marshal")


def third_party(requirements: Path) -> Path:
    """The installed requirements, from the cache where it has them."""
    key = hashlib.sha256(requirements.read_bytes() + RECIPE.encode()).hexdigest()[:16]
    cached = cache_root() / key
    if cached.is_dir():
        return cached
    cached.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f"{key}-", dir=cached.parent))
    for platforms in PLATFORMS.values():
        install(requirements, platforms, building)
    trim(building)
    compile_all(building, building)
    building.chmod(0o755)
    try:
        building.rename(cached)  # at once, so that no other build sees a half of it
    except OSError:  # another build was first, with the same
        shutil.rmtree(building)
    return cached


def cache_root() -> Path:
    """Where builds keep what is dear to make, outside the copy that sam throws away."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "orderdesk" / "layer"


def install(requirements: Path, platforms: tuple[str, ...], target: Path) -> None:
    """Install for one architecture, wheels only, over what the other one left."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        command += ["--disable-pip-version-check", "--only-binary=:all:", "--target", folder]
        command += ["--implementation", "cp", "--python-version", "3.13"]
        command += [word for platform in platforms for word in ("--platform", platform)]
        subprocess.run([*command, "--requirement", str(requirements)], check=True)  # noqa: S603
        shutil.copytree(folder, target, dirs_exist_ok=True)


def trim(tree: Path) -> None:
    """Drop what no function reads; package metadata stays, for vulnerability scanners."""
    trim_models(tree / "botocore" / "data")
    for unused in UNUSED:
        shutil.rmtree(tree / unused)
    for folder in sorted(tree.rglob("*"), reverse=True):
        if folder.is_dir() and folder.name in NEVER_IMPORTED:
            shutil.rmtree(folder)
    for record in tree.glob("*.dist-info/*"):
        if record.name != "METADATA" and record.is_file():
            record.unlink()
    for typing in (*tree.rglob("*.pyi"), *tree.rglob("*.pxd")):
        typing.unlink()


def trim_models(data: Path) -> None:
    """Leave of AWS's descriptions what a cold start must read to make our clients.

    A client is made from its service's model and from `endpoints.json`, which describes all
    services in 1.2 MB: parsing those is the dearest part of a client's making. So: our services
    only, no documentation, not compressed.
    """
    for service in data.iterdir():
        if service.is_dir() and service.name not in AWS_SERVICES_USED:
            shutil.rmtree(service)
    for path in [*data.glob("*/*/*.json"), *data.glob("*/*/*.json.gz")]:
        if path.name.startswith(MODEL_FILES):
            packed = path.suffix == ".gz"
            text = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
            write_json(path.with_suffix("") if packed else path, undocumented(json.loads(text)))
            if not packed:
                continue
        path.unlink()
    endpoints = json.loads((data / "endpoints.json").read_bytes())
    for partition in endpoints["partitions"]:
        services = partition["services"]
        partition["services"] = {n: s for n, s in services.items() if n in AWS_SERVICES_USED}
    write_json(data / "endpoints.json", endpoints)


def undocumented(model: Any) -> Any:
    """Empty the documentation in a service's model, at every depth; botocore wants it there."""
    if isinstance(model, list):
        return [undocumented(entry) for entry in model]
    if not isinstance(model, dict):
        return model
    return {
        name: "" if name == "documentation" and isinstance(entry, str) else undocumented(entry)
        for name, entry in model.items()
    }


def keep_compiled(layer: Path, file: Path) -> None:
    """Compile what every cold start would compile again (orderdesk.cold_start)."""
    script = Path(__file__).with_name("build_cold_start.py")
    command = [sys.executable, "-I", "-S", "-B", str(script), str(layer), str(file)]
    subprocess.run(command, check=True)  # noqa: S603


def write_json(path: Path, value: Any) -> None:
    """Write compact JSON."""
    path.write_text(json.dumps(value, separators=(",", ":")), encoding="utf-8")


def compile_all(folder: Path, root: Path) -> None:
    """Compile so that the bytecode stays valid: SAM's zip dates every file 1980."""
    done = compileall.compile_dir(
        folder,
        quiet=1,
        stripdir=root,
        prependdir=Path("/opt/python"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    if not done:
        raise SystemExit(f"{folder}: does not compile")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
