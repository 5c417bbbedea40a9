"""The documentation site: requests to no other host, accessibility, search, and the workbench."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from playwright.sync_api import Browser, BrowserContext, Page, expect

from local.docs_site import serve
from tests.browser.chromium import AXE, PHONE
from tests.browser.screenshots import Scheme
from tests.browser.tabs import PATIENCE_MS
from tests.browser.test_every_page import VIOLATIONS
from tests.support.programs import ended
from tests.support.template import ROOT
from tools.site.hooks import on_config

# Dark pages differ in their colours only.
RUNS: dict[str, str] = {"light": "", "dark": "runOnly: ['color-contrast'],"}
NAMES = sorted(path.stem for path in (ROOT / "docs" / "site" / "en").glob("*.md"))
FOLDERS = {"en": "", "zh": "zh/"}
REPOSITORY = "https://git.example.com/shop/orderdesk"
FIRST_PAGE_BYTES_MAX = 300 * 1024
# The scripts ran, and the search has its index. "networkidle" is too early in a slow browser.
READY = """() => document.readyState === "complete"
  && [...document.querySelectorAll("article table:not([class])")]
    .every((table) => table.closest("[tabindex]"))
  && document.querySelector(".md-search-result__meta").textContent.trim()
    === JSON.parse(__config.textContent).translations["search.result.placeholder"]"""
VECTORS = json.loads((ROOT / "docs" / "signing-vectors.json").read_text("utf-8"))
BUILD = (sys.executable, "-m", "mkdocs", "build", "--config-file")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site. A broken link fails the build."""
    target = tmp_path_factory.mktemp("docs") / "site"
    command = [*BUILD, str(ROOT / "docs" / "mkdocs.yml"), "--site-dir", str(target)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "REPOSITORY_URL": REPOSITORY}, check=True)
    return target


BROKEN = {
    "a link to no page": ("[x](nowhere.md)", "nowhere.md"),
    "a missing anchor": ("# X\n\n[x](#nowhere)", "#nowhere"),
    "an unknown marker": ("<!-- generated: nowhere -->", "nothing generates nowhere"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_error_is_told_without_a_traceback(tmp_path: Path, name: str) -> None:
    page, told = BROKEN[name]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(page)
    config = tmp_path / "mkdocs.yml"
    config.write_text(
        f"site_name: x\nstrict: true\nhooks: [{ROOT}/tools/site/hooks.py]\n"
        "validation: {links: {anchors: warn}}\n"
    )
    done = ended(*BUILD, str(config))
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


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
def test_pages_request_nothing_from_other_hosts_and_nothing_missing(
    docs: str, tab: Page, language: str
) -> None:
    requested: list[tuple[int, str]] = []
    errors: list[str] = []
    tab.on("response", lambda answer: requested.append((answer.status, answer.url)))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    for name in NAMES:
        visit(tab, f"{docs}/{FOLDERS[language]}{name}.html")
        downloads = tab.locator("a[download]").evaluate_all("all => all.map(a => a.href)")
        assert {tab.request.get(url).status for url in downloads} <= {200}
    assert [each for each in requested if not each[1].startswith(docs) or each[0] >= 400] == []
    assert errors == []


# Tables that are too wide, and names in a first column that are broken into two lines.
UNFIT = """() => [
  ...[...document.querySelectorAll("article table")].filter((table) => {
    const place = table.closest(".md-typeset__scrollwrap");
    return place && place.scrollWidth > place.clientWidth + 1;
  }).map((table) => table.textContent.slice(0, 40)),
  ...[...document.querySelectorAll("td:first-child code")]
    .filter((name) => name.getClientRects().length > 1).map((name) => name.textContent),
]"""


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("en", "dark"), ("zh", "light")])
def test_pages_are_accessible_and_fit_on_a_phone(
    chromium: Browser, docs: str, language: str, scheme: Scheme
) -> None:
    found = {}
    with chromium.new_context(viewport=PHONE, color_scheme=scheme) as context:
        tab = context.new_page()
        for name in NAMES:
            visit(tab, f"{docs}/{FOLDERS[language]}{name}.html")
            tab.evaluate(AXE.read_text("utf-8"))
            rules: list[Any] = tab.evaluate(VIOLATIONS % RUNS[scheme])
            wrong = [
                (rule["id"], [node["html"][:200] for node in rule["nodes"]][:3]) for rule in rules
            ]
            unfit: list[str] = tab.evaluate(UNFIT)
            if tab.evaluate("document.documentElement.scrollWidth > innerWidth"):
                unfit.append("the page")
            found[name] = wrong + ([("too wide", unfit)] if unfit else [])
    assert {page: wrong for page, wrong in found.items() if wrong} == {}


def test_a_reader_switches_to_dark_mode(docs: str, tab: Page) -> None:
    visit(tab, f"{docs}/index.html")
    body = tab.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    tab.get_by_title("Dark mode").click()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    visit(tab, f"{docs}/signing.html")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


def test_a_page_links_to_the_repository_and_to_its_source(built: Path) -> None:
    for language, folder in FOLDERS.items():
        html = (built / folder / "orders.html").read_text("utf-8")
        assert f'"{REPOSITORY}/edit/main/docs/site/{language}/orders.md"' in html
        assert 'class="md-source"' in html
        assert 'data-md-component="source"' not in html  # its script would call github.com


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # of the search plugin's regular expressions
def test_without_a_repository_no_page_links_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REPOSITORY_URL", raising=False)
    config = load_config(str(ROOT / "docs" / "mkdocs.yml"))
    on_config(config)
    assert (config.repo_url, config.edit_uri) == (None, None)


def test_llms_txt_lists_every_page_as_markdown(built: Path) -> None:
    links = re.findall(
        r"^- \[[^\]-]+\]\(([^)]+\.md)\): \S", (built / "llms.txt").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(links) == sorted(f"{folder}{n}.md" for folder in FOLDERS.values() for n in NAMES)
    for link in links:
        page = (built / link).read_text("utf-8")
        assert page.startswith("# ")
        assert "--8<--" not in page
        assert "<!-- generated" not in page
    assert "create_buy" in (built / "quickstart.md").read_text("utf-8")


@pytest.mark.parametrize("language", FOLDERS)
def test_the_first_page_is_small(docs: str, phone: BrowserContext, language: str) -> None:
    tab = phone.new_page()
    network = phone.new_cdp_session(tab)
    network.send("Network.enable")
    loaded: list[float] = []
    network.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    visit(tab, f"{docs}/{FOLDERS[language]}index.html")
    assert 0 < sum(loaded) < FIRST_PAGE_BYTES_MAX


# A reader's search, and a page that must be among the first three results.
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
    """Search by pasting or through an input method, without keyup. Return the found pages."""
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


def shown(tab: Page, name: str) -> str:
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
        assert shown(tab, "string") == vector["string_to_sign"], vector["name"]
    for vector in VECTORS["refused"]:
        field(tab, "parameters").fill(vector["body"])
        expect(field(tab, "string")).to_have_text("")
        problems = shown(tab, "problem").splitlines()
        assert [line.rsplit(": ", 1)[0] for line in problems] == vector["fields"], vector["name"]


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
    body = shown(tab, "body")
    assert json.loads(body) == {**json.loads(after), "signature": shown(tab, "signature")}
    assert '"cny_amount": 100.50' in body
