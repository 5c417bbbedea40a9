"""`make audit`: its output and exit status, with a stub of OSV and the npm registry."""

import gzip
import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from local.processes import free_port
from tests.support.template import ROOT

KNOWN = "GHSA-xxxx-yyyy-zzzz"


@contextmanager
def advisories(vulnerable: str | None = None) -> Iterator[tuple[str, set[str]]]:
    """Serve a stub of OSV and npm; provide its URL and the set of libraries that were queried."""
    asked: set[str] = set()

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.startswith("/-/npm"):
                self.do_npm(json.loads(gzip.decompress(text)))
                return
            names = [query["package"]["name"] for query in json.loads(text)["queries"]]
            asked.update(names)
            found = {"vulns": [{"id": KNOWN, "modified": "2025-01-01T00:00:00Z"}]}
            self.answer({"results": [found if name == vulnerable else {} for name in names]})

        def do_npm(self, versions: dict[str, list[str]]) -> None:
            asked.update(versions)
            found = {"id": 1, "url": f"https://github.com/advisories/{KNOWN}", "title": "a fault"}
            found |= {"severity": "high", "vulnerable_versions": "*", "cwe": []}
            self.answer({vulnerable: [found]} if vulnerable in versions else {})

        def do_GET(self) -> None:
            if self.path == f"/{vulnerable}":  # npm queries unaffected versions
                self.answer({"name": vulnerable, "versions": {}})
                return
            self.answer({"id": KNOWN, "modified": "2025-01-01T00:00:00Z", "summary": "a fault"})

        def answer(self, document: Any) -> None:
            body = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 its name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def audit(url: str) -> subprocess.CompletedProcess[str]:
    """Run the script against a service, without a package index."""
    index = f"http://127.0.0.1:{free_port()}/simple"
    environment = os.environ | {"OSV_URL": url, "UV_DEFAULT_INDEX": index, "UV_HTTP_RETRIES": "0"}
    environment |= {"npm_config_registry": url}
    return subprocess.run(
        [ROOT / "tools" / "audit.sh"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_network_it_prints_one_line() -> None:
    ended = audit(f"http://127.0.0.1:{free_port()}/")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(r"audit: .+ needs a network\n", ended.stderr)


def test_it_queries_the_libraries_of_every_lock_file() -> None:
    with advisories() as (url, asked):
        ended = audit(url)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert {"pydantic", "botocore", "jinja2", "pillow", "aws-sam-cli"} <= asked
    assert {"axe-core", "typescript"} <= asked


@pytest.mark.parametrize("library", ["pydantic", "aws-sam-cli", "axe-core", "typescript"])
def test_a_known_vulnerability_exits_with_1(library: str) -> None:
    with advisories(library) as (url, _):
        ended = audit(url)
    assert ended.returncode == 1
    assert KNOWN in ended.stdout
    assert library in ended.stdout
