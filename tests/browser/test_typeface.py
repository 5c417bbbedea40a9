"""The typefaces that the pages request; they need not be installed."""

import pytest

from tests.browser.identity_visit import waiting
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.orders import buy_order

HAN = {"PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC"}
# Each system has at least one of them: Apple's, Windows, Android, Linux.
LATIN = {"-apple-system", "Segoe UI", "Roboto", "Arial", "Liberation Sans", "DejaVu Sans"}


@pytest.mark.parametrize("page", ["pay", "identity", "desk"])
def test_english_asks_for_a_latin_typeface_before_any_chinese_one(
    site: Site, open_tab: OpenTab, page: str
) -> None:
    urls = {
        "pay": site.put(buy_order(site.now)),
        "identity": site.hold(waiting(site)),
        "desk": f"{site.desk_url}/login",
    }
    tab = open_tab()
    tab.goto(f"{urls[page]}?lang=en")
    for part in ("main h1", "main p", "main button"):
        asked = tab.locator(part).first.evaluate("(p) => getComputedStyle(p).fontFamily")
        families = [family.strip(' "') for family in asked.split(",")]
        first_han = min(families.index(family) for family in HAN)
        assert set(families[:first_han]) >= LATIN
        assert families[-1] == "sans-serif"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_english_apostrophe_is_narrow_without_a_latin_typeface(
    site: Site, open_tab: OpenTab, language: str
) -> None:
    """The only font of these tests is a Chinese one, as on some systems; on English parts too."""
    tab = open_tab()
    tab.goto(f"{site.desk_url}/login?lang={language}")
    widths = tab.locator("body").evaluate(
        """(body) => ["’", "n"].map((letter) => {
            const part = document.createElement("span");
            part.lang = "en";
            part.style.position = "absolute";
            part.textContent = `a${letter}a`;
            body.append(part);
            return part.getBoundingClientRect().width;
        })"""
    )
    assert widths[0] < widths[1]
