"""Builds the layer: third-party packages, trimmed and compiled, and the orderdesk package.

One layer serves both architectures: pip runs once for each, and the two trees differ only in the
names of their native modules. So `Architecture` stays a matter of the deployment alone, whatever
was built before. The third-party half is cached under the hash of its requirements: after a change
in the code a rebuild copies files only.
"""

import compileall
import hashlib
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORMS = {
    "aarch64": ("manylinux2014_aarch64", "manylinux_2_28_aarch64"),
    "x86_64": ("manylinux2014_x86_64", "manylinux_2_28_x86_64"),
}
AWS_SERVICES_USED = {"dynamodb", "kms", "s3", "scheduler", "secretsmanager", "sqs"}
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
    for model in (tree / "botocore" / "data").iterdir():
        if model.is_dir() and model.name not in AWS_SERVICES_USED:
            shutil.rmtree(model)
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
