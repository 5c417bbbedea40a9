"""Parse items strictly: a missing attribute, a wrong type and an unknown value are malformed.

The parsers of the hot paths trust the types of attributes, because only functions write them. The
ledger check trusts nothing.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin

from orderdesk.adapters.dynamodb.marshal import UNREADABLE

type _Fits = Callable[[Any], bool]


class Malformed(ValueError):
    """An item cannot be read; the text names attributes, never their values."""


def problem_of(error: Exception) -> str:
    """Describe what is wrong with an item, without its values."""
    match error:
        case Malformed():
            return str(error)
        case KeyError():
            return f"no {error.args[0]}" if error.args else "an attribute is missing"
        case _:
            return f"unreadable value ({type(error).__name__})"


def strictly[T](parsed: T) -> T:
    """Return a parsed dataclass if each field has its type. Raises: Malformed."""
    for name, fits in _fields(cast("Hashable", type(parsed))):
        value = getattr(parsed, name)
        if not fits(value):
            if is_dataclass(value):
                strictly(value)  # names the field of the part
            raise Malformed(f"wrong type of {name}")
    return parsed


def text(item: Mapping[str, Any], name: str) -> str:
    """Return a text attribute of a wire item. Raises: Malformed."""
    try:
        return item[name]["S"]  # type: ignore[no-any-return]
    except UNREADABLE:
        raise Malformed(_missing(item, name)) from None


def number(item: Mapping[str, Any], name: str) -> int:
    """Return an integer attribute of a wire item. Raises: Malformed."""
    try:
        return int(item[name]["N"])
    except UNREADABLE:
        raise Malformed(_missing(item, name)) from None


def _missing(item: Mapping[str, Any], name: str) -> str:
    return f"wrong type of {name}" if name in item else f"no {name}"


@cache
def _fields(of: Hashable) -> tuple[tuple[str, _Fits], ...]:
    assert isinstance(of, type)
    assert is_dataclass(of)
    return tuple((each.name, _fits(each.type)) for each in fields(of))


def _fits(hint: Any) -> _Fits:
    """Return the check of a value's type; types of collections are checked one level deep."""
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, UnionType):
        some = [_fits(argument) for argument in arguments]
        return lambda value: any(fits(value) for fits in some)
    if origin is tuple and arguments[-1] is not Ellipsis:
        places = [_fits(argument) for argument in arguments]
        return lambda value: type(value) is tuple and _fit_each(places, value)
    if origin in {tuple, frozenset, list}:
        inner = _fits(arguments[0])
        return lambda value: type(value) is origin and all(map(inner, value))
    if origin is not None:
        return lambda value: isinstance(value, origin)
    if is_dataclass(hint):
        nested = _fields(hint)  # type: ignore[arg-type]
        return lambda value: (
            type(value) is hint and all(fits(getattr(value, name)) for name, fits in nested)
        )
    of = NoneType if hint is None else hint
    return lambda value: type(value) is of


def _fit_each(places: Sequence[_Fits], values: Sequence[Any]) -> bool:
    return len(values) == len(places) and all(
        fits(value) for fits, value in zip(places, values, strict=True)
    )
