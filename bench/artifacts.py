"""The built artifacts, zipped by SAM's own code and unpacked as Lambda unpacks them.

The files keep the zip's dates (1980). Bytecode that Python checks by date is therefore stale, as on
Lambda. Nothing is written beside the sources.
"""

import compileall
import json
import os
import py_compile
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from local import sam
from local.places import BUILD, REPOSITORY, SAM_BIN, WORK
from local.progress import LocalError
from tests.support.built_functions import FUNCTIONS, settings_of

BASELINE = REPOSITORY / "bench" / "baseline"
OURS = "orderdesk"
BASELINE_AS_SHIPPED = "baseline"
BASELINE_COMPILED = "baseline, with bytecode"
UNAIDED = "trader desk, without the texts that the build compiled"
CREATE_ORDER, DESK = "CreateOrderFunction", "TraderDeskFunction"
_BASELINES_SETTINGS = {
    "POWERTOOLS_METRICS_NAMESPACE": "bench",
    "IDENTITY_URL": "https://identity.example.com/verify",
    "NONCES_TABLE": "nonces",
    "BALANCES_TABLE": "balances",
}

type Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Artifact:
    """One function: the folders that Python imports from, and its environment variables."""

    contestant: str
    function: str
    path: tuple[Path, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Our functions, the baseline as it ships and with bytecode, and the desk `UNAIDED`."""

    ours: tuple[Artifact, ...]
    baseline: Artifact
    baseline_compiled: Artifact
    unaided: Artifact

    @property
    def create_order(self) -> Artifact:
        """The createOrder function, the first one in the template."""
        return self.ours[0]

    @property
    def layer_bytes(self) -> int:
        """The size of the unzipped layer."""
        layer = self.create_order.path[-1].parent
        return sum(f.stat().st_size for f in layer.rglob("*") if f.is_file())


def build(progress: Progress) -> Artifacts:
    """Build both projects and unpack them. Raises: LocalError."""
    folder = WORK / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    progress("sam build: orderdesk")
    sam.build(folder / "sam-build.log")
    layer = unpacked(BUILD / "CommonLayer", folder / "opt") / "python"
    tasks = {name: unpacked(BUILD / name, folder / "tasks" / name) for name in FUNCTIONS}
    ours = (Artifact(OURS, name, (task, layer), settings_of(name)) for name, task in tasks.items())
    unaided = unpacked(BUILD / "CommonLayer", folder / "unaided") / "python"
    (unaided / "orderdesk" / "compiled.marshal").unlink()
    progress("sam build: the baseline")
    shipped = unpacked(build_baseline(folder), folder / "tasks" / "baseline")
    compiled = compile_tree(shipped, folder / "tasks" / "baseline-compiled")
    settings = settings_of("baseline") | _BASELINES_SETTINGS
    return Artifacts(
        tuple(ours),
        Artifact(BASELINE_AS_SHIPPED, "BuyFunction", (shipped,), settings),
        Artifact(BASELINE_COMPILED, "BuyFunction", (compiled,), settings),
        Artifact(UNAIDED, DESK, (tasks[DESK], unaided), settings_of(DESK)),
    )


def build_baseline(folder: Path) -> Path:
    """Run `sam build` on the baseline, cached; return the folder of its only function."""
    built = folder / "baseline-build"
    command = [str(SAM_BIN / "sam"), "build", "--template", str(BASELINE / "template.yaml")]
    command += ["--build-dir", str(built), "--cached", "--cache-dir", str(folder / "sam-cache")]
    command += ["--parameter-overrides", f"Architecture={sam.host_architecture()}"]
    sam.run(command, sam.environment(None), folder / "baseline-build.log")
    (function,) = (path for path in built.iterdir() if path.is_dir())
    return function


def unpacked(built: Path, target: Path) -> Path:
    """Zip a built folder as SAM does and unzip it as Lambda does, the zip's dates kept."""
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    script = str(REPOSITORY / "bench" / "zip_as_sam.py")
    command = [str(SAM_BIN / "python"), script, str(built), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    packed = Path(done.stdout.strip())
    with zipfile.ZipFile(packed) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, target))
            date = datetime(*entry.date_time).timestamp()  # noqa: DTZ001 - a zip knows no zone
            os.utime(path, (date, date))
    packed.unlink()
    return target


def compile_tree(tree: Path, target: Path) -> Path:
    """Copy a tree and add bytecode that Python does not check by date."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(tree, target)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    if not compileall.compile_dir(target, quiet=2, invalidation_mode=mode):
        raise LocalError("the baseline does not compile")
    return target


def run_alone(script: Path, job: Mapping[str, Any], failed: str) -> dict[str, Any]:
    """Run a script with a job on standard input; return the JSON of its standard output.

    The interpreter has only the standard library and writes no bytecode.
    Raises: LocalError, with `failed` and the last line that the script wrote before it failed.
    """
    command, text = [sys.executable, "-I", "-S", "-B", str(script)], json.dumps(job)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no error text"])[-1]
        raise LocalError(f"{failed}: {last}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
