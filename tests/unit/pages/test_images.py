"""The images that a page's policy allows: the origin of a payment code, and nothing injected."""

import pytest

from orderdesk.web.pages.values import image_origin


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://img.example.com/a/b.png?c=d#e", "https://img.example.com"),
        ("HTTPS://IMG.Example.com/a.png", "https://img.example.com"),
        ("http://127.0.0.1:8080/a.png", "http://127.0.0.1:8080"),
        ("https://图片.example/a.png", "https://xn--wcsw84d.example"),
        ("https://faß.de/a.png", "https://xn--fa-hia.de"),
        ("https://img.example.com:443/a.png", "https://img.example.com:443"),
    ],
)
def test_an_images_origin(url: str, origin: str) -> None:
    assert image_origin(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.png",
        "//img.example.com/a.png",
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "wxp://f2f0abc",
        "https://",
        "https://user:secret@img.example.com/a.png",
        "https://img.example.com;script-src 'unsafe-inline'/a.png",
        "https://img.example.com *;/a.png",
        "https://img.example.com,*/a.png",
        "https://*/a.png",
        "https://'none'/a.png",
        "https://[::1]/a.png",
        "https://[oops/a.png",
        "https://img.example.com:port/a.png",
        "https://img.example.com:99999/a.png",
        f"https://{'ü' * 70}.example/a.png",
        "https://img.example.com\r\nx-evil: 1/a.png",
    ],
)
def test_anything_else_is_no_image(url: str) -> None:
    assert image_origin(url) is None
