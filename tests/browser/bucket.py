"""A fake bucket on local HTTP, which checks a form's policy."""

import base64
import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

from tests.browser.quiet_server import QuietHandler

_NAME = re.compile(rb'name="([^"]*)"')


@dataclass(slots=True)
class Bucket:
    """The files by key."""

    files: dict[str, bytes] = field(default_factory=dict)


def bucket_server(bucket: Bucket) -> type[QuietHandler]:
    """Return a fake S3 with path-style addresses for one bucket; it checks no signatures."""

    class Server(QuietHandler):
        def post(self) -> None:
            fields = _fields(self.headers["Content-Type"], self.body())
            refused = _refusal(fields)
            if refused is not None:
                self.reply(400, {"Content-Type": "application/xml"}, refused.encode())
                return
            key = fields["key"].decode()
            bucket.files[key] = fields["file"]
            back = fields["success_action_redirect"].decode()
            join = "&" if "?" in back else "?"
            location = f"{back}{join}bucket=b&key={quote(key, safe='')}&etag=e"
            self.reply(303, {"Location": location}, b"")

        def put(self) -> None:
            bucket.files.setdefault(self.key, self.body())
            self.reply(200, {"ETag": etag(bucket.files[self.key])}, b"")

        def get(self) -> None:
            if self.path == "/favicon.ico":
                # A browser that shows the bucket's own answer requests it.
                self.reply(204, {}, b"")
                return
            content = bucket.files.get(self.key)
            if content is None:
                self.reply(404, {}, b"<Error><Code>NoSuchKey</Code></Error>")
            else:
                self.reply(200, {"ETag": etag(content)}, content)

        def delete(self) -> None:
            bucket.files.pop(self.key, None)
            self.reply(204, {}, b"")

        @property
        def key(self) -> str:
            return urlsplit(self.path).path.split("/", 2)[-1]

    return Server


def etag(content: bytes) -> str:
    """Return the header of a content."""
    return f'"{sha256(content).hexdigest()}"'


def _fields(content_type: str, body: bytes) -> dict[str, bytes]:
    boundary = b"--" + content_type.partition("boundary=")[2].encode()
    fields = {}
    for part in body.split(boundary)[1:-1]:
        head, _, value = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        assert name is not None
        fields[name[1].decode()] = value.removesuffix(b"\r\n")
    return fields


def _refusal(fields: dict[str, bytes]) -> str | None:
    """Check a form against its policy, as S3 does: every condition, and no other field."""
    policy = json.loads(base64.b64decode(fields["policy"]))
    unchecked = fields.keys() - {"file", "policy", "x-amz-signature"}
    for condition in policy["conditions"]:
        refused, names = _checked(condition, fields)
        unchecked -= names
        if refused is not None:
            return f"<Error><Code>{refused}</Code></Error>"
    return "<Error><Code>AccessDenied</Code></Error>" if unchecked else None


def _checked(condition: Any, fields: dict[str, bytes]) -> tuple[str | None, set[str]]:
    if isinstance(condition, list):
        kind, low, high = condition
        assert kind == "content-length-range"
        fits = low <= len(fields["file"]) <= high
        return (None if fits else "EntityTooLarge"), set()
    [(name, value)] = condition.items()
    if name == "bucket":
        return None, set()
    fits = fields.get(name, b"").decode() == value
    return (None if fits else "AccessDenied"), {name}
