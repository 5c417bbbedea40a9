"""Sessions and clients of botocore that are made once for a run, and copied from then on.

A session takes 7 ms and a client 60 ms of CPU, a copy less than 0.1 ms. A copy has event handlers
of its own: what a test registers, such as a fault, is in no other client.
"""

import copy
import os
from collections.abc import Callable
from typing import Any

import botocore.session
from botocore.hooks import EventAliaser, HierarchicalEmitter
from botocore.session import Session

from tests.support import engine

_register_section: Callable[..., None] = HierarchicalEmitter._register_section  # type: ignore[attr-defined]
_unregister = HierarchicalEmitter.unregister
_register_builtin: Callable[..., None] = Session._register_builtin_handlers  # type: ignore[attr-defined]
_invoke_initializers = botocore.session.invoke_initializers  # type: ignore[attr-defined]
_create_client = Session.create_client

# The handlers of a new session, by the number of initializers that libraries have registered.
_builtin: dict[int, HierarchicalEmitter] = {}
_created: dict[tuple[object, ...], Any] = {}


def share() -> None:
    """Patch botocore for the whole run."""
    HierarchicalEmitter.__copy__ = _copied  # type: ignore[assignment, method-assign]
    HierarchicalEmitter._register_section = _unshared(_register_section)  # type: ignore[attr-defined]
    HierarchicalEmitter.unregister = _unshared(_unregister)  # type: ignore[method-assign]
    botocore.session.invoke_initializers = _invoked_once  # type: ignore[attr-defined]
    Session._register_builtin_handlers = _register_builtin_handlers  # type: ignore[attr-defined]
    Session.create_client = _client  # type: ignore[method-assign]


def _copied(self: Any) -> HierarchicalEmitter:
    """Return an emitter with the same handlers; the first of both to change copies them."""
    self._is_shared = True
    copied = HierarchicalEmitter()
    copied.__dict__.update(self.__dict__)
    return copied


def _unshared(change: Callable[..., None]) -> Callable[..., None]:
    def changed(self: Any, *arguments: Any, **named: Any) -> None:
        if self.__dict__.pop("_is_shared", False):
            self._handlers = copy.copy(self._handlers)
            self._unique_id_handlers = {
                name: dict(each) for name, each in self._unique_id_handlers.items()
            }
        change(self, *arguments, **named)

    return changed


def _register_builtin_handlers(self: Any, events: Any) -> None:
    number = len(botocore._INITIALIZERS)  # type: ignore[attr-defined]
    if number not in _builtin:
        _register_builtin(self, events)
        _invoke_initializers(self)
        _builtin[number] = events._emitter
    self._original_handler = events._emitter = copy.copy(_builtin[number])


def _invoked_once(_: Session) -> None:
    """Do nothing; the built-in handlers include those of the initializers."""


def _client(self: Any, service_name: str, *arguments: Any, **named: Any) -> Any:
    """Return a copy of the first such client, if the session has no handlers of its own."""
    is_plain = not arguments and named.keys() <= {"config"} and not self._session_instance_vars
    if not (engine.is_running() and is_plain and _has_builtin_handlers(self)):
        return _create_client(self, service_name, *arguments, **named)
    config = named.get("config")
    parsers = self.get_component("response_parser_factory")
    environment = (each for each in os.environ.items() if each[0].startswith("AWS_"))
    options = repr(config and config._user_provided_options)
    key = service_name, options, type(parsers), *sorted(environment)
    if key not in _created:
        _created[key] = _create_client(self, service_name, **named)
    return _copy_of(_created[key])


def _has_builtin_handlers(session: Any) -> bool:
    handlers = session._original_handler._handlers
    return any(handlers is builtin._handlers for builtin in _builtin.values())  # type: ignore[attr-defined]


def _copy_of(client: Any) -> Any:
    copied = object.__new__(type(client))
    copied.__dict__.update(client.__dict__)
    copied.meta = copy.copy(client.meta)
    copied._endpoint = copy.copy(client._endpoint)
    events: EventAliaser = copy.copy(client.meta.events)
    copied.meta.events = copied._endpoint._event_emitter = events
    return copied
