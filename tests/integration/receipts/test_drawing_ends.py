"""Every end of the drawing process: a picture, a refusal, or an error of ours; it never hangs."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from orderdesk.adapters import drawing
from orderdesk.adapters.drawing import DrawingProcess
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, ReceiptType, UnfitReceipt
from tests.support import receipt_samples as samples
from tests.support.template import ROOT

DRAW = ROOT / "functions" / "render_receipt" / "draw.py"

type Script = Callable[[str], DrawingProcess]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Return a drawing process that runs this text instead."""

    def write(text: str) -> DrawingProcess:
        file = tmp_path / "draw.py"
        file.write_text(text)
        return DrawingProcess(file)

    return write


def changed(old: str, new: str) -> str:
    """Return the real script with one replacement."""
    text = DRAW.read_text("utf-8")
    assert text.count(old) == 1
    return text.replace(old, new)


def problem_of(
    process: DrawingProcess, content: bytes | None = None, kind: ReceiptType = ReceiptType.PNG
) -> ReceiptProblem:
    with pytest.raises(UnfitReceipt) as refused:
        process.draw(content or samples.png(), kind)
    return refused.value.problem


@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGXCPU],
    ids=lambda number: number.name,
)
def test_a_signal_is_a_refusal(script: Script, number: signal.Signals) -> None:
    """The kernel's limits of memory and time, a decoder's crash, and its own abort."""
    bound = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"
    process = script(f"{bound}; import os; os.kill(os.getpid(), {number.value})")
    assert problem_of(process) is ReceiptProblem.TOO_COMPLEX


@pytest.mark.parametrize("said", ["", "{", '{"pages": ['], ids=["nothing", "a byte", "half"])
def test_who_waits_is_ended(script: Script, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    """Waiting takes no CPU time, so the CPU limit does not end the process."""
    monkeypatch.setattr(drawing, "_SECONDS_MAX", 0.3)
    process = script(f"import signal, sys; sys.stdout.write({said!r}); signal.pause()")
    assert problem_of(process) is ReceiptProblem.TOO_COMPLEX


def test_too_much_time_is_a_refusal(script: Script) -> None:
    process = script(changed("CPU_SECONDS_MAX = 6", "CPU_SECONDS_MAX = 1"))
    endless = samples.pdf_that_never_ends()
    assert problem_of(process, endless, ReceiptType.PDF) is ReceiptProblem.TOO_COMPLEX


@pytest.mark.parametrize("mb", [80, 200, 400])
def test_too_much_memory_while_drawing_is_a_refusal(script: Script, mb: int) -> None:
    process = script(changed("1024**3", f"{mb} * 1024**2"))
    picture = samples.drawn("PNG", 7000, 7000)
    assert problem_of(process, picture) is ReceiptProblem.TOO_COMPLEX


@pytest.mark.parametrize(
    ("error", "problem"),
    [("MemoryError", ReceiptProblem.TOO_COMPLEX), ("OSError", ReceiptProblem.DAMAGED)],
)
def test_an_error_while_encoding_is_a_refusal(
    script: Script, error: str, problem: ReceiptProblem
) -> None:
    process = script(changed("    encoded = io.BytesIO()", f"    raise {error}"))
    assert problem_of(process) is problem


def test_who_does_not_read_the_file_still_ends(script: Script) -> None:
    process = script("raise SystemExit(10)")
    assert problem_of(process, samples.png() + bytes(MAX_BYTES)) is ReceiptProblem.DAMAGED


def test_what_a_decoder_prints_is_not_in_the_answer(script: Script) -> None:
    """A library in C writes to the file descriptor directly."""
    place = "    encoded = io.BytesIO()"
    process = script(changed(place, f'    os.write(1, b"warning: odd file")\n{place}'))
    assert len(process.draw(samples.png(), ReceiptType.PNG).pages) == 1


@pytest.mark.parametrize(
    "said",
    [
        "",
        "garbage",
        "\\udcff",
        "[]",
        "7",
        "{}",
        '{"pages": 1}',
        '{"pages": ["ÿ"], "preview": ""}',
        '{"pages": [], "preview": ""}',
        '{"pages": [1], "preview": ""}',
        "[" * 100_000,
    ],
)
def test_an_answer_without_pictures_is_an_error_of_ours(script: Script, said: str) -> None:
    process = script(f"import sys; sys.stdout.buffer.write({said.encode()!r})")
    with pytest.raises(RuntimeError, match="drawing failed: no pictures"):
        process.draw(samples.png(), ReceiptType.PNG)


def test_a_script_that_fails_by_itself_is_no_refusal(script: Script) -> None:
    with pytest.raises(RuntimeError, match="ImportError: gone"):
        script("raise ImportError('gone')").draw(samples.png(), ReceiptType.PNG)


def test_the_drawing_process_gets_no_credentials(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    spy = script("import os; raise SystemExit(str(sorted(os.environ)))")
    with pytest.raises(RuntimeError) as failed:
        spy.draw(samples.png(), ReceiptType.PNG)
    assert "AWS" not in str(failed.value)
