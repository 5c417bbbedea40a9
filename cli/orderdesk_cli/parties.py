"""`orderdesk merchant …`, `trader …`, `block …` and `desk …`."""

from orderdesk_cli.commands import lists, reads, writes
from orderdesk_cli.sheets import parties as sheets

_MERCHANT = [
    writes("merchant.add", sheets.SECRETS),
    lists("merchant.list", sheets.MERCHANTS),
    reads("merchant.show", sheets.MERCHANT),
    reads("merchant.limits", sheets.LIMITS),
    writes("merchant.suspend", sheets.MERCHANT),
    writes("merchant.resume", sheets.MERCHANT),
    writes("merchant.revoke-secret", sheets.MERCHANT),
    writes("merchant.invite", sheets.INVITATION),
    writes("merchant.set", sheets.MERCHANT),
]
_TRADER = [
    writes("trader.add", sheets.CODE),
    writes("trader.set", sheets.TRADER),
    writes("trader.add-method", sheets.TRADER),
    writes("trader.remove-method", sheets.TRADER),
    *(writes("trader.reset-code", sheets.CODE, name=name) for name in ("reset-code", "new-code")),
    lists("trader.list", sheets.TRADERS),
    reads("trader.show", sheets.TRADER),
    writes("trader.online", sheets.TRADER),
    writes("trader.offline", sheets.TRADER),
    writes("trader.stop-account", sheets.TRADER),
    writes("trader.resume-account", sheets.TRADER),
    writes("trader.suspend", sheets.TRADER),
]
_BLOCK = [
    writes("block.add", sheets.BLOCK),
    lists("block.list", sheets.BLOCKS),
    writes("block.remove", sheets.BLOCK),
]
COMMANDS = {
    "merchant": _MERCHANT,
    "trader": _TRADER,
    "block": _BLOCK,
    "desk": [writes("desk.set", sheets.DESK)],
}
