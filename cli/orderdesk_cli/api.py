"""Calls commands of the operators' API and reads their answers (contract section 11)."""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk_cli.sheets.sheet import Json, objects

PAGE_MAX = 100
_PAUSES_SECONDS = (0.2, 0.8)  # before the second and third attempt
_SUCCESS, _TRY_AGAIN, _INVALID = 1, 5001, 1002


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer."""

    status: int
    body: bytes


type Fetch = Callable[[str], Reply]
"""Reads a link. Raises: NoAnswer."""

type Send = Callable[[str, bytes], Reply]
"""Sends a body to a path below the API's address. Raises: NoAnswer."""


class NoAnswer(Exception):
    """The API was not reached, or its answer was lost; the text says which."""


class StackUnavailable(Exception):
    """The stack cannot be worked on from here; the text says why."""


@dataclass(eq=False)
class Refused(Exception):
    """The API refused a command: envelope code, slug, English text, and wrong parameters."""

    status: int
    code: int
    reason: str
    detail: str
    fields: Sequence[tuple[str, str]] = ()

    def __str__(self) -> str:
        return self.detail

    @property
    def is_usage(self) -> bool:
        """Whether the parameters are wrong in themselves, whatever the stack's state is."""
        return self.code == _INVALID


class NotAllowed(Exception):
    """AWS refused the request before the API's function: rights, signature or address."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.command, self.message = path.removeprefix("solo/"), message
        self.alone = path != self.command

    @property
    def is_missing_right(self) -> bool:
        """Whether no policy of the caller allows the command."""
        return "not authorized" in self.message or self.message == "Forbidden"


class Api:
    """The operators' API of a stack.

    Every call is repeated up to twice if no answer comes: a read changes nothing, and a write has
    an idempotency key.
    """

    def __init__(
        self, send: Send, pause: Callable[[float], None] = time.sleep, fetch: Fetch | None = None
    ) -> None:
        self._send = send
        self._pause = pause
        self._fetch = fetch

    def file(self, url: str) -> bytes | None:
        """Read a file by a link of an answer; None if the file is gone. Raises: NoAnswer."""
        assert self._fetch is not None
        reply = self._fetch(url)
        if reply.status == HTTPStatus.NOT_FOUND or _names_nothing(reply):
            return None
        if reply.status != HTTPStatus.OK:
            raise NoAnswer(f"HTTP {reply.status} instead of the file")
        return reply.body

    def call(self, command: str, /, **parameters: Json) -> Mapping[str, Json]:
        """Call a command that reads. Raises: Refused, NotAllowed, NoAnswer."""
        return self._data(command, parameters)

    def write(
        self, command: str, /, *, alone: bool = False, **parameters: Json
    ) -> Mapping[str, Json]:
        """Call a command that changes something; `alone` without a second person.

        It is done once for an `idempotency_key`, which is new if it is not among the parameters.
        Raises: Refused, NotAllowed, NoAnswer.
        """
        path = f"solo/{command}" if alone else command
        return self._data(path, {"idempotency_key": uuid.uuid4().hex, **parameters})

    def pages(self, command: str, /, **parameters: Json) -> Iterator[Mapping[str, Json]]:
        """Yield the parts of a long answer as they arrive. Raises: as `call`."""
        after: Json = None
        while True:
            page = self.call(command, **parameters, after=after)
            yield page
            after = page.get("next")
            if after is None:
                return

    def items(self, command: str, /, **parameters: Json) -> Iterator[Mapping[str, Json]]:
        """Yield the items of a list, page after page. Raises: as `call`."""
        for page in self.pages(command, **parameters):
            yield from objects(page.get("items"))

    def _data(self, path: str, parameters: Mapping[str, Json]) -> Mapping[str, Json]:
        given = {name: value for name, value in parameters.items() if value not in (None, [], ())}
        body = json.dumps(given, ensure_ascii=False).encode()
        for pause in _PAUSES_SECONDS:
            try:
                return _read(path, self._send(path, body))
            except (NoAnswer, Refused) as error:
                if isinstance(error, Refused) and error.code != _TRY_AGAIN:
                    raise
                self._pause(pause)
        return _read(path, self._send(path, body))


def _names_nothing(reply: Reply) -> bool:
    """Return whether S3 refuses a link as it does if the signer may not list: it hides a 404."""
    denied = b"<Code>AccessDenied</Code>" in reply.body and b"expired" not in reply.body
    return reply.status == HTTPStatus.FORBIDDEN and denied


def _read(path: str, reply: Reply) -> Mapping[str, Json]:
    """Return an answer's `data`. Raises: Refused, NotAllowed, NoAnswer."""
    try:
        envelope = json.loads(reply.body)
    except ValueError:
        envelope = None
    if not isinstance(envelope, Mapping):
        raise NoAnswer(f"HTTP {reply.status} without an answer")
    if "code" not in envelope:
        said = str(envelope.get("message") or envelope.get("Message") or "")
        if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise NoAnswer(f"HTTP {reply.status} {said}".rstrip())
        raise NotAllowed(path, said)
    data = envelope.get("data") or {}
    if envelope["code"] == _SUCCESS:
        return data
    raise Refused(
        reply.status,
        envelope["code"],
        str(data.get("reason", "")),
        str(data.get("detail") or envelope.get("msg", "")),
        [(each["field"], each["problem"]) for each in data.get("fields", ())],
    )
