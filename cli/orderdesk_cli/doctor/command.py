"""`orderdesk doctor`: what is wrong or risky about the deployed stack (contract section 9)."""

from typing import TYPE_CHECKING

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import administers
from orderdesk_cli.sheets.findings import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orderdesk_cli.doctor.checks import Finding
    from orderdesk_cli.installation import Installation


@administers("doctor")
def doctor(installation: "Installation") -> Answer:
    """Report what is wrong or risky about the stack, a line each; exit code 1 if it is wrong.

    What AWS does not let you look at is a risk, and is named. It uses AWS with your own rights.
    """
    return report(checks(installation))


def report(looks: "Iterable[tuple[str, Callable[[], Iterable[Finding]]]]") -> Answer:
    """Look at everything, by its check's name, and answer with what was found, the worst first."""
    from orderdesk_cli.doctor.checks import Level  # noqa: PLC0415 loaded only by this command

    found = [finding for name, look in looks for finding in _seen(name, look)]
    found.sort(key=lambda finding: finding.level is not Level.WRONG)
    data = [
        {"level": f.level.value, "check": f.check, "says": f.says, "remedy": f.remedy}
        for f in found
    ]
    wrong = sum(f.level is Level.WRONG for f in found)
    return Answer(data, FINDINGS, complaints=[f"{wrong} of these are wrong"] if wrong else ())


def checks(
    installation: "Installation",
) -> "Iterator[tuple[str, Callable[[], Iterable[Finding]]]]":
    """Yield each check's name and what does it. Nothing is read before it is called."""
    from orderdesk_cli.doctor import checks as judge  # noqa: PLC0415 loaded only by this command

    account, now = installation.account, installation.now()
    stack, api = installation.stack, installation.api
    rate = float(stack.parameters.get("ThrottleRate", "500"))
    burst = int(stack.parameters.get("ThrottleBurst", "1000"))
    rate_seconds = int(stack.parameters.get("RateMaxAgeSeconds", "86400"))
    patterns = stack.parameters.get("OperatorRolePatterns", "").split(",")
    wanted = {f"{stack.name}-expire-drafts"}
    if stack.parameters.get("AutomaticAssignment", "true") == "true":
        wanted.add(f"{stack.name}-assign-sells")

    def tables() -> "Iterator[Finding]":
        for name, is_restorable, is_protected in account.tables():
            yield from judge.table(name, is_restorable=is_restorable, is_protected=is_protected)

    yield "deployment", lambda: judge.status(stack.status)
    yield "rates", lambda: judge.rates(now, rate_seconds, api.call("rate.list"))
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
    yield "secrets", lambda: judge.secrets(now, api.items("merchant.list"))
    yield "accounts", lambda: judge.accounts(now, api.items("trader.list"))
    yield "throttle", lambda: judge.throttle(rate, burst, *account.throttle())
    yield "concurrency", lambda: judge.concurrency(rate, account.containers_max())
    yield "roles", lambda: (f for role in account.roles() for f in judge.rights(*role))
    yield "people", lambda: judge.people(account.roles_named(patterns))
    if not installation.is_emulated:  # an emulator has no backups, and its identities are invented
        yield "tables", tables
        yield "identity", lambda: judge.identity(stack.parameters.get("IdentityProvider", ""))


def _seen(name: str, look: "Callable[[], Iterable[Finding]]") -> "list[Finding]":
    from orderdesk_cli.complaints import complaint_about  # noqa: PLC0415 as above
    from orderdesk_cli.doctor.checks import Finding, Level  # noqa: PLC0415 as above

    try:
        return list(look())
    except Exception as error:
        complaint = complaint_about(error, None, writes=False)
        if complaint is None:
            raise
        remedy = "run it with credentials that may read this"
        says = f"could not be looked at: {' '.join(complaint.lines)}"
        return [Finding(Level.RISK, name, says, remedy)]


COMMANDS = {"": [doctor]}
