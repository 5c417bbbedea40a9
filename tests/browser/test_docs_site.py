"""The documentation site: nothing from elsewhere, readable by all, and a workbench that signs."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from local.docs_site import serve
from tests.browser.chromium import PHONE
from tests.browser.tabs import PATIENCE_MS
from tests.browser.test_accessibility import AXE
from tests.support.template import ROOT

NAMES = sorted(path.stem for path in (ROOT / "docs" / "site" / "en").glob("*.md"))
FOLDERS = {"en": "", "zh": "zh/"}
FIRST_PAGE_BYTES_MAX = 300 * 1024
# A page's scripts ran, and its search has its index. "networkidle" comes earlier in a slow browser.
READY = """() => document.readyState === "complete"
  && [...document.querySelectorAll("article table:not([class])")]
    .every((table) => table.closest("[tabindex]"))
  && document.querySelector(".md-search-result__meta").textContent.trim()
    === JSON.parse(__config.textContent).translations["search.result.placeholder"]"""
VECTORS = json.loads((ROOT / "docs" / "signing-vectors.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a link that leads nowhere fails the build."""
    target = tmp_path_factory.mktemp("docs") / "site"
    subprocess.run(
        [sys.executable, "-m", "tools.site", "--site-dir", str(target)], cwd=ROOT, check=True
    )
    return target


BROKEN = {
    "a link that leads nowhere": ("[x](nowhere.md)", "nowhere.md"),
    "an anchor that is not there": ("# X\n\n[x](#nowhere)", "#nowhere"),
    "a marker that nothing generates": ("<!-- generated: nowhere -->", "nothing generates nowhere"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_error_is_one_line(tmp_path: Path, name: str) -> None:
    page, told = BROKEN[name]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(page)
    config = tmp_path / "mkdocs.yml"
    config.write_text(
        f"site_name: x\nstrict: true\nhooks: [{ROOT}/tools/site/hooks.py]\n"
        "validation: {links: {anchors: warn}}\n"
    )
    command = [sys.executable, "-m", "tools.site", "--config-file", str(config)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert line.startswith("docs: ")
    assert told in line


@pytest.fixture(scope="module")
def docs(built: Path) -> Iterator[str]:
    with serve(built) as url:
        yield url


@pytest.fixture
def phone(chromium: Browser) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context


@pytest.fixture
def tab(phone: BrowserContext) -> Page:
    return phone.new_page()


def visit(tab: Page, url: str) -> None:
    """Open a page, and wait until it is ready."""
    tab.goto(url)
    tab.wait_for_function(READY)


def test_both_languages_have_the_same_pages() -> None:
    assert sorted(path.stem for path in (ROOT / "docs" / "site" / "zh").glob("*.md")) == NAMES


def test_every_included_file_is_in_its_page(built: Path) -> None:
    for page in built.rglob("*.html"):
        assert "--8" not in page.read_text("utf-8"), page.name
    started = (built / "quickstart.html").read_text("utf-8")
    assert all(name in started for name in ("create_buy", "createBuy", "CreateBuy"))
    assert VECTORS["signed"][2]["signature"] in (built / "signing.html").read_text("utf-8")


@pytest.mark.parametrize("language", FOLDERS)
def test_no_page_asks_another_host_or_for_what_is_not_there(
    docs: str, tab: Page, language: str
) -> None:
    asked: list[tuple[int, str]] = []
    complaints: list[str] = []
    tab.on("response", lambda answer: asked.append((answer.status, answer.url)))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    for name in NAMES:
        visit(tab, f"{docs}/{FOLDERS[language]}{name}.html")
        downloads = tab.locator("a[download]").evaluate_all("all => all.map(a => a.href)")
        assert {tab.request.get(url).status for url in downloads} <= {200}
    assert [each for each in asked if not each[1].startswith(docs) or each[0] >= 400] == []
    assert complaints == []


@pytest.mark.parametrize("language", FOLDERS)
def test_axe_has_nothing_to_complain_of_on_a_phone(docs: str, tab: Page, language: str) -> None:
    found = {}
    for name in NAMES:
        visit(tab, f"{docs}/{FOLDERS[language]}{name}.html")
        tab.evaluate(AXE.read_text("utf-8"))
        rules: list[dict[str, Any]] = tab.evaluate("axe.run().then((r) => r.violations)")
        wrong = [(rule["id"], [node["html"][:200] for node in rule["nodes"]][:3]) for rule in rules]
        wide = tab.evaluate("document.documentElement.scrollWidth > innerWidth")
        found[name] = wrong + ([("wider than a phone", [])] if wide else [])
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("language", FOLDERS)
def test_the_first_page_is_small(docs: str, phone: BrowserContext, language: str) -> None:
    tab = phone.new_page()
    network = phone.new_cdp_session(tab)
    network.send("Network.enable")
    loaded: list[float] = []
    network.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    visit(tab, f"{docs}/{FOLDERS[language]}index.html")
    assert 0 < sum(loaded) < FIRST_PAGE_BYTES_MAX


# What a reader looks for, and the page that must be found first.
SEARCHES = {
    "en": {
        "time-out": "retries",
        "signature": "signing",
        "advanceOrder": "testing",
        "payment_method.card_number": "errors",
        "1102": "errors",
        "refund": "orders",
    },
    "zh": {
        "超时": "retries",
        "签名": "signing",
        "回调": "callbacks",
        "身份": "identity",
        "身份验证": "identity",
        "金额": "amounts",
        "手续费": "amounts",
        "退款": "orders",
        "string_to_sign": "signing",
    },
}


@pytest.mark.parametrize("language", FOLDERS)
def test_the_search_finds_pages_of_its_language(docs: str, tab: Page, language: str) -> None:
    folder = f"{docs}/{FOLDERS[language]}"
    missing = {}
    for term, page in SEARCHES[language].items():
        found = search(tab, f"{folder}index.html", term)
        assert all(re.fullmatch(rf"{folder}[a-z-]+\.html", each) for each in found), (term, found)
        if f"{folder}{page}.html" not in found[:3]:
            missing[term] = found
    assert missing == {}


def search(tab: Page, page: str, term: str) -> list[str]:
    """Search as someone does who pastes, or chooses from an input method; give the pages."""
    visit(tab, page)
    tab.locator("#__search").evaluate("toggle => toggle.click()")
    tab.locator(".md-search__input").focus()
    tab.keyboard.insert_text(term)
    expect(tab.locator(".md-search-result__meta")).to_have_text(re.compile(r"\d|No|没有"))
    links = tab.locator(".md-search-result__link")
    addresses: list[str] = links.evaluate_all("all => all.map(a => a.href)")
    return list(dict.fromkeys(re.split("[?#]", each)[0] for each in addresses))


def field(tab: Page, name: str) -> Any:
    return tab.locator(f".workbench [name={name}]")


def said(tab: Page, name: str) -> str:
    text: str = field(tab, name).evaluate("element => element.value")
    return text


@pytest.mark.parametrize("language", FOLDERS)
def test_the_workbench_reproduces_every_vector(docs: str, tab: Page, language: str) -> None:
    tab.goto(f"{docs}/{FOLDERS[language]}signing.html")
    for vector in VECTORS["signed"]:
        field(tab, "path").fill(vector["path"])
        field(tab, "secret").fill(vector["api_secret"])
        field(tab, "parameters").fill(vector["body"])
        expect(field(tab, "signature")).to_have_text(vector["signature"])
        assert said(tab, "string") == vector["string_to_sign"], vector["name"]
    for vector in VECTORS["refused"]:
        field(tab, "parameters").fill(vector["body"])
        expect(field(tab, "string")).to_have_text("")
        told = said(tab, "problem").splitlines()
        assert [line.rsplit(": ", 1)[0] for line in told] == vector["fields"], vector["name"]


def test_the_workbench_shows_the_first_line_that_differs(docs: str, tab: Page) -> None:
    tab.goto(f"{docs}/signing.html")
    own = VECTORS["signed"][0]["string_to_sign"]
    expect(field(tab, "string")).to_have_text(re.compile("cny_amount=100.50"))
    servers = own.replace("cny_amount=100.50", "cny_amount=100.5")
    for pasted in (servers, json.dumps({"code": 1102, "data": {"string_to_sign": servers}})):
        field(tab, "servers").fill(pasted)
        expect(field(tab, "difference")).to_have_text(
            re.compile("line 3.*100.50.*100.5", re.DOTALL)
        )
    field(tab, "servers").fill(own)
    expect(field(tab, "difference")).to_have_text("No line differs.")


def test_the_workbench_renews_and_completes_the_body(docs: str, tab: Page) -> None:
    tab.goto(f"{docs}/signing.html")
    before = field(tab, "parameters").input_value()
    tab.locator(".workbench button").click()
    after = field(tab, "parameters").input_value()
    assert json.loads(before)["nonce"] != json.loads(after)["nonce"]
    expect(field(tab, "signature")).not_to_have_text("")
    body = said(tab, "body")
    assert json.loads(body) == {**json.loads(after), "signature": said(tab, "signature")}
    assert '"cny_amount": 100.50' in body
