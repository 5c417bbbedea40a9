"""`orderdesk doctor`: what is wrong or risky about the deployed stack (contract section 9)."""

from typing import TYPE_CHECKING

import typer

from orderdesk_cli.invocation import command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orderdesk_cli.doctor.checks import Finding
    from orderdesk_cli.output import Answer
    from orderdesk_cli.wiring import Office


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    command(app, "doctor")(doctor)


def doctor(office: "Office") -> "Answer":
    """Tell what is wrong or risky about the stack, a line each; exit code 1 if something is wrong.

    What AWS does not let you look at is a risk, and is named.
    """
    return report(checks(office))


def report(looks: "Iterable[tuple[str, Callable[[], Iterable[Finding]]]]") -> "Answer":
    """Look at everything, by its check's name, and answer with what was found, the worst first."""
    # botocore and rich are loaded only by a command that needs them.
    from orderdesk_cli.doctor.checks import Level  # noqa: PLC0415
    from orderdesk_cli.output import Answer, listing  # noqa: PLC0415

    found = [finding for name, look in looks for finding in _seen(name, look)]
    found.sort(key=lambda finding: finding.level is not Level.WRONG)
    data = [
        {"level": f.level.value, "check": f.check, "says": f.says, "remedy": f.remedy}
        for f in found
    ]
    rows = [[f.level.value, f.check, f.says, f.remedy] for f in found]
    wrong = sum(f.level is Level.WRONG for f in found)
    return Answer(
        data,
        listing(["", "check", "found", "what to do"], rows, "Nothing is wrong, nothing is risky."),
        complaints=[f"{wrong} of these are wrong"] if wrong else (),
    )


def checks(office: "Office") -> "Iterator[tuple[str, Callable[[], Iterable[Finding]]]]":
    """Give each check's name and what does it. Nothing is read before it is called."""
    from orderdesk.domain.traders.settings import changed_account_lately  # noqa: PLC0415 as above
    from orderdesk_cli.doctor import checks as judge  # noqa: PLC0415 as above
    from orderdesk_cli.doctor.secret_ages import secret_ages  # noqa: PLC0415 as above

    account, now = office.account, office.now()
    stack = office.stack
    rate = float(stack.parameters.get("ThrottleRate", "500"))
    burst = int(stack.parameters.get("ThrottleBurst", "1000"))
    wanted = {f"{stack.name}-expire-drafts"}
    if stack.parameters.get("AutomaticAssignment", "true") == "true":
        wanted.add(f"{stack.name}-assign-sells")

    def tables() -> "Iterator[Finding]":
        for name, is_restorable, is_protected in account.tables():
            yield from judge.table(name, is_restorable=is_restorable, is_protected=is_protected)

    def changed_accounts() -> dict[str, int]:
        traders = office.traders.traders()
        return {
            trader.trader_id: trader.methods_changed_at
            for trader in traders
            if changed_account_lately(trader, now)
        }

    yield "deployment", lambda: judge.status(stack.status)
    yield (
        "rates",
        lambda: judge.rates(
            now,
            int(stack.parameters.get("RateMaxAgeSeconds", "86400")),
            office.merchants.rates(),
        ),
    )
    yield (
        "dead letters",
        lambda: judge.dead_letters(
            account.messages("CallbacksDeadLetterQueueUrl"),
            account.messages("RelayFailuresQueueUrl"),
        ),
    )
    yield "schedules", lambda: judge.schedules(account.schedules(), sorted(wanted))
    yield "mappings", lambda: judge.mappings(account.mappings())
    yield "alarms", lambda: judge.alarms(account.listeners(), account.alarming())
    yield "secrets", lambda: judge.secrets(now, secret_ages(office))
    yield "accounts", lambda: judge.accounts(now, changed_accounts())
    yield "throttle", lambda: judge.throttle(rate, burst, *account.throttle())
    yield "concurrency", lambda: judge.concurrency(rate, account.containers_max())
    yield "roles", lambda: (f for role in account.roles() for f in judge.rights(*role))
    if not office.is_emulated:  # an emulator has no backups, and its identities are invented
        yield "tables", tables
        yield "identity", lambda: judge.identity(stack.parameters.get("IdentityProvider", ""))


def _seen(name: str, look: "Callable[[], Iterable[Finding]]") -> "list[Finding]":
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 as above

    from orderdesk_cli.doctor.checks import Finding, Level  # noqa: PLC0415 as above
    from orderdesk_cli.refusals import complaint_about  # noqa: PLC0415 as above

    try:
        return list(look())
    except (BotoCoreError, ClientError) as error:
        complaint = complaint_about(error)
        said = complaint.message if complaint else type(error).__name__
        remedy = "run it with credentials that may read this"
        return [Finding(Level.RISK, name, f"could not be looked at: {said}", remedy)]
