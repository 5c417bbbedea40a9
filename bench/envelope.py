"""What it would cost a buy to encrypt payment methods: `python -m bench.envelope`.

A data key of KMS stays in the container, and AES-256-GCM encrypts one payment method, bound to its
owner. Nothing of orderdesk does so: docs/decisions.md says why. It takes some seconds.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import cryptography
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

METHOD = {
    "method_type": "bank",
    "real_name": "张三",
    "bank": "中国工商银行",
    "sub_bank": "深圳福田支行",
    "card_number": "6222021234567890123",
}
OWNER = b"trader:t000001"
RUNS, CALLS = 15, 2_000
IMPORT = "from cryptography.hazmat.primitives.ciphers.aead import AESGCM"
CPU_MS = f"import time; t = time.process_time(); {IMPORT}; print((time.process_time() - t) * 1000)"


def main() -> None:
    """Measure and print."""
    cipher = AESGCM(AESGCM.generate_key(bit_length=256))
    plain = json.dumps(METHOD, ensure_ascii=False).encode()
    nonce = os.urandom(12)
    sealed = nonce + cipher.encrypt(nonce, plain, OWNER)

    def seal() -> None:
        drawn = os.urandom(12)
        cipher.encrypt(drawn, json.dumps(METHOD, ensure_ascii=False).encode(), OWNER)

    def unseal() -> None:
        json.loads(cipher.decrypt(sealed[:12], sealed[12:], OWNER))

    print(f"encrypt one method: {cpu_us(seal):.1f} us CPU")
    print(f"decrypt one method: {cpu_us(unseal):.1f} us CPU")
    print(f"size: {len(plain)} bytes become {len(sealed)}")
    print(f"import of the cipher: {median(import_ms() for _ in range(RUNS)):.1f} ms CPU")
    print(
        f"library, one architecture: {size_mb(Path(cryptography.__file__).parent):.1f} MB unzipped"
    )


def cpu_us(work: Callable[[], None]) -> float:
    """Give the median CPU time of a call, in microseconds."""

    def run() -> float:
        start = time.process_time_ns()
        for _ in range(CALLS):
            work()
        return (time.process_time_ns() - start) / CALLS / 1000

    return median(run() for _ in range(RUNS))


def import_ms() -> float:
    """Import the cipher in a process of its own; give the CPU time in ms."""
    answer = subprocess.run([sys.executable, "-c", CPU_MS], capture_output=True, check=True)
    return float(answer.stdout)


def size_mb(folder: Path) -> float:
    """Give the size of a folder's files but caches, in MB."""
    files = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


if __name__ == "__main__":
    main()
