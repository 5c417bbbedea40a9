"""`orderdesk merchant …`, `trader …`, `block …` and `desk …`."""

from orderdesk_cli.commands import calls
from orderdesk_cli.sheets import parties as sheets

_MERCHANT = [
    calls("merchant.add", sheets.SECRETS),
    calls("merchant.list", sheets.MERCHANTS),
    calls("merchant.show", sheets.MERCHANT),
    calls("merchant.limits", sheets.LIMITS),
    calls("merchant.suspend", sheets.MERCHANT),
    calls("merchant.resume", sheets.MERCHANT),
    calls("merchant.revoke-secret", sheets.MERCHANT),
    calls("merchant.invite", sheets.INVITATION),
    calls("merchant.set", sheets.MERCHANT),
]
_TRADER = [
    calls("trader.add", sheets.CODE),
    calls("trader.set", sheets.TRADER),
    calls("trader.add-method", sheets.TRADER),
    calls("trader.remove-method", sheets.TRADER),
    *(calls("trader.reset-code", sheets.CODE, name=name) for name in ("reset-code", "new-code")),
    calls("trader.list", sheets.TRADERS),
    calls("trader.show", sheets.TRADER),
    calls("trader.online", sheets.TRADER),
    calls("trader.offline", sheets.TRADER),
    calls("trader.stop-account", sheets.TRADER),
    calls("trader.resume-account", sheets.TRADER),
    calls("trader.suspend", sheets.TRADER),
]
_BLOCK = [
    calls("block.add", sheets.BLOCK),
    calls("block.list", sheets.BLOCKS),
    calls("block.remove", sheets.BLOCK),
]
COMMANDS = {
    "merchant": _MERCHANT,
    "trader": _TRADER,
    "block": _BLOCK,
    "desk": [calls("desk.set", sheets.DESK)],
}
