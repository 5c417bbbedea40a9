"""`orderdesk doctor`: what is wrong or risky about the deployed stack (contract section 9).

Each check judges facts that are read elsewhere.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import Said, runs
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.options import SIDES
from orderdesk_cli.sheets.operators import FINDINGS
from orderdesk_cli.sheets.sheet import Json, value_at

if TYPE_CHECKING:
    from orderdesk_cli.installation import Installation

type Finding = dict[str, Json]
"""One thing about the stack: its level, what was found, and what to do."""

type Looks = Iterable[tuple[str, Callable[[], Iterable[Finding]]]]
"""Each check's name, and what does it."""

DAY_SECONDS = 86_400
SECRET_DAYS_MAX = 365
# A warm request takes some 20 ms. This leaves room for cold starts and slow identity checks.
SECONDS_A_REQUEST = 0.1
# Containers that are not behind the throttle: send-callback's 50, and ten for the jobs.
CONTAINERS_BESIDE = 60
# One rotation key serves about 330 orders a second (docs/capacity.md); this leaves a quarter.
ORDERS_A_SHARD = 250
SCHEDULED = ("expire-drafts", "seal-books", "prove-again", "pay-out")


def wrong(says: str, remedy: str) -> Finding:
    """Return that something does not work, or that money or evidence is not safe."""
    return {"level": "wrong", "says": says, "remedy": remedy}


def risk(says: str, remedy: str) -> Finding:
    """Return that something may go wrong."""
    return {"level": "risk", "says": says, "remedy": remedy}


def rates(now: int, max_age_seconds: int, known: Mapping[str, Json]) -> Iterator[Finding]:
    """Check the base rates, as `rate.list` answers; times in Unix seconds."""
    for name in SIDES:
        remedy = f"orderdesk rate set {name} RATE"
        set_at = value_at(known, f"{name}.set_at")
        if not isinstance(set_at, int):
            yield wrong(f"no {name} rate is set: no {name}s", remedy)
            continue
        age = now - set_at
        if age >= max_age_seconds:
            says = f"the {name} rate is {_hours(age)} old, too old to be used: no {name}s"
            yield wrong(says, remedy)
        elif age >= max_age_seconds * 3 // 4:
            left = _hours(max_age_seconds - age)
            yield risk(f"the {name} rate is used for {left} more: it is {_hours(age)} old", remedy)


def secrets(now: int, merchants: Iterable[Mapping[str, Json]]) -> Iterator[Finding]:
    """Check the age of merchants' API secrets, as `merchant.list` answers."""
    for merchant in merchants:
        merchant_id = merchant["merchant_id"]
        at = merchant.get("secret_rotated_at") or merchant["created_at"]
        days = (now - at) // DAY_SECONDS if isinstance(at, int) else 0
        if days > SECRET_DAYS_MAX:
            says = f"the API secret of {merchant_id} is {days} days old"
            yield risk(says, "its people make a new one in the portal")


def accounts(now: int, traders: Iterable[Mapping[str, Json]]) -> Iterator[Finding]:
    """Check traders' receiving accounts, as `trader.list` answers."""
    for trader in traders:
        trader_id, at = trader["trader_id"], trader.get("methods_changed_at")
        if isinstance(at, int) and now - at < DAY_SECONDS:
            says = f"{trader_id} changed a receiving account at its desk {_hours(now - at)} ago"
            remedy = f"orderdesk audit --subject {trader_id}; ask the trader whether it did"
            yield risk(says, remedy)


def people(roles: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[Finding]:
    """Check the roles whose session names are people: no caller may choose its session name."""
    for role, trust in roles:
        if any(_lets_choose(statement) for statement in trust["Statement"]):
            says = f"who assumes {role} chooses the session name, and so a person's name"
            remedy = "take it off OperatorRolePatterns, or require sts:RoleSessionName in its trust"
            yield wrong(says, remedy)


def _lets_choose(statement: Mapping[str, Any]) -> bool:
    """Return whether a trust lets its caller name the session; SAML names it for the caller."""
    actions = statement["Action"]
    named = {actions} if isinstance(actions, str) else set(actions)
    conditions = {
        key.casefold() for operator in statement.get("Condition", {}).values() for key in operator
    }
    is_free = bool(named & {"sts:AssumeRole", "sts:AssumeRoleWithWebIdentity", "sts:*", "*"})
    return statement["Effect"] == "Allow" and is_free and "sts:rolesessionname" not in conditions


def dead_letters(callbacks: int, relay_failures: int) -> Iterator[Finding]:
    """Check the queues of callbacks that died and of changes not relayed; numbers of messages.

    A merchant's endpoint makes callbacks die, and the queue keeps them for 14 days.
    """
    if callbacks:
        says = f"{callbacks} callbacks died within 14 days and nobody emptied their queue"
        yield risk(says, "orderdesk callback dead; redeliver; empty the queue (the runbook)")
    if relay_failures:
        says = f"{relay_failures} changes were not relayed: their callbacks were never sent"
        yield wrong(says, "the runbook, `RelayFailuresAlarm`")


def alarms(listeners: int, alarming: Sequence[str]) -> Iterator[Finding]:
    """Check the alarms: how many confirmed listeners their topic has, and which are in alarm."""
    if not listeners:
        says = "nobody listens to the alarms' topic"
        remedy = "deploy with AlarmEmail, and confirm the mail that AWS sends"
        yield risk(says, remedy)
    for name in alarming:
        yield wrong(f"{name} is in alarm", "the runbook has a row for it")


def schedules(enabled: Mapping[str, bool], wanted: Collection[str]) -> Iterator[Finding]:
    """Check the schedules by name; only those in `wanted` must be enabled."""
    for name in wanted:
        if not enabled.get(name, False):
            yield wrong(f"the schedule {name} does not run", "deploy again, or enable it")


def mappings(states: Mapping[str, str]) -> Iterator[Finding]:
    """Check the event source mappings, by the name of their function."""
    for function, state in states.items():
        if state not in {"Enabled", "Enabling", "Updating", "Creating"}:
            says = f"{function} gets no events: its mapping is {state}"
            yield wrong(says, "deploy again, or enable it")


def standby(enabled: Mapping[str, bool], states: Mapping[str, str]) -> Iterator[Finding]:
    """Check a region that only receives replicas: the other region moves orders and relays."""
    running = [f"the schedule {name}" for name, is_on in enabled.items() if is_on]
    running += [f"the relay {name}" for name, state in states.items() if state != "Disabled"]
    for each in running:
        says = f"{each} runs in a region on standby: it would do what the other region does"
        yield wrong(says, "deploy again with Standby=true, or disable it")


def table(
    name: str, is_restorable: bool, is_protected: bool, capped: Sequence[str]
) -> Iterator[Finding]:
    """Check a table that must last; `capped` are the parameters of its caps that are 0 now."""
    for units in capped:
        says = f"{name} keeps the cap of an earlier {units}"
        yield risk(says, f"aws dynamodb update-table, with {units}=-1 (docs/deploying.md)")
    if not is_restorable:
        says = f"{name} cannot be restored to a point in time"
        yield wrong(says, "deploy again: the template switches it on")
    if not is_protected:
        yield risk(f"{name} can be deleted by one call", "deploy with ProtectTables=true")


def throttle(rate: float, burst: int, account_rate: float, account_burst: int) -> Iterator[Finding]:
    """Check the stage's throttle against the account's; requests a second, and at once."""
    for name, own, whole in (
        ("ThrottleRate", rate, account_rate),
        ("ThrottleBurst", burst, account_burst),
    ):
        if own > whole:
            says = f"{name} is {own:g}, but all APIs of the account together get {whole:g}"
            yield wrong(says, f"lower {name}, or ask AWS for more")


def concurrency(rate: float, containers_max: int) -> Iterator[Finding]:
    """Check the account's containers against what the throttle lets through."""
    need = round(rate * SECONDS_A_REQUEST) + CONTAINERS_BESIDE
    if need > containers_max:
        says = f"{rate:g} requests a second need some {need} containers of {containers_max}"
        remedy = "ask AWS for a higher quota, or lower ThrottleRate"
        yield wrong(says, remedy)


def rotation(shards: int, busiest_minute: int) -> Iterator[Finding]:
    """Check the rotation keys against the calls of createOrder in a day's busiest minute."""
    per_second = busiest_minute / 60
    if per_second > shards * ORDERS_A_SHARD:
        says = f"{per_second:.0f} orders a second: {shards} rotation keys serve {shards * 330}"
        yield risk(says, "the runbook, Raising RotationShards")


def rights(
    role: str, declared: Collection[str], present: Collection[str], attached: Collection[str]
) -> Iterator[Finding]:
    """Check a function's role: its actions against the template's, and policies attached to it."""
    more = sorted(set(present) - set(declared))
    if more:
        says = f"{role} may do more than the template says: {', '.join(more)}"
        yield wrong(says, "find out who changed it; deploy again")
    for policy in attached:
        says = f"{role} has a policy that the template does not attach: {policy}"
        yield wrong(says, "find out who attached it; detach it")


def identity(provider: str) -> Iterator[Finding]:
    """Check the identity provider of a stack on AWS."""
    if provider == "sandbox":
        says = "identities are verified by the sandbox: everybody passes"
        yield wrong(says, "deploy with another IdentityProvider")


def passkeys(public_base_url: str) -> Iterator[Finding]:
    """Check the host that the portal's passkeys belong to."""
    if not public_base_url:
        says = "passkeys of the merchants' portal belong to the API's own address"
        yield risk(says, "set DomainName and PublicBaseUrl before the first merchant invite")


def status(name: str) -> Iterator[Finding]:
    """Check CloudFormation's status of the stack."""
    if not name.endswith("_COMPLETE") or "ROLLBACK" in name:
        says = f"the last deployment ended as {name}"
        yield wrong(says, "look at the stack's events; deploy again")


def _hours(seconds: int) -> str:
    return f"{seconds / 3600:.0f} h"


@runs("doctor", directly=True)
def doctor(installation: "Installation", _: Said) -> Answer:
    """Report what is wrong or risky about the stack, a line each; exit code 1 if it is wrong.

    What AWS does not let you look at is a risk, and is named. It uses AWS with your own rights.
    """
    return report(_looks(installation))


def report(looks: Looks) -> Answer:
    """Look at everything, by its check's name, and answer with what was found, the worst first."""
    found: list[Finding] = []
    for name, look in looks:
        try:
            seen = list(look())
        except Exception as error:
            complaint = complaint_about(error, None, writes=False)
            if complaint is None:
                raise
            says = f"could not be looked at: {' '.join(complaint.lines)}"
            seen = [risk(says, "run it with credentials that may read this")]
        found += [{"level": each["level"], "check": name, **each} for each in seen]
    found.sort(key=lambda each: each["level"] != "wrong")
    count = sum(each["level"] == "wrong" for each in found)
    return Answer(found, FINDINGS, complaints=[f"{count} of these are wrong"] if count else ())


def _looks(place: "Installation") -> Looks:
    """Yield each check's name and what does it. Nothing is read before it is called."""
    stack, api, now = place.stack, place.api, place.now()
    rate = float(stack.parameters.get("ThrottleRate", "500"))
    burst = int(stack.parameters.get("ThrottleBurst", "1000"))
    rate_seconds = int(stack.parameters.get("RateMaxAgeSeconds", "86400"))
    patterns = stack.parameters.get("OperatorRolePatterns", "").split(",")
    wanted = {f"{stack.name}-{name}" for name in SCHEDULED}
    if stack.parameters.get("AutomaticAssignment", "true") == "true":
        wanted.add(f"{stack.name}-assign-sells")

    yield "deployment", lambda: status(stack.status)
    yield "rates", lambda: rates(now, rate_seconds, api.call("rate.list"))
    queues = ("CallbacksDeadLetterQueueUrl", "RelayFailuresQueueUrl")
    yield "dead letters", lambda: dead_letters(*map(place.messages, queues))
    if stack.parameters.get("Standby") == "true":
        relay = stack.outputs.get("RelayEventsFunctionName", "")
        yield (
            "standby",
            lambda: standby(place.schedules(), {relay: place.mappings().get(relay, "")}),
        )
    else:
        yield "schedules", lambda: schedules(place.schedules(), sorted(wanted))
        yield "mappings", lambda: mappings(place.mappings())
    yield "alarms", lambda: alarms(place.listeners(), place.alarming())
    yield "secrets", lambda: secrets(now, api.items("merchant.list"))
    yield "accounts", lambda: accounts(now, api.items("trader.list"))
    yield "throttle", lambda: throttle(rate, burst, *place.throttle())
    yield "concurrency", lambda: concurrency(rate, place.containers_max())
    yield "roles", lambda: (f for role in place.functions_roles() for f in rights(*role))
    yield "people", lambda: people(place.roles_named(patterns))
    if not place.is_emulated:  # an emulator has no backups, and its identities are invented
        yield "tables", lambda: (f for each in place.tables() for f in table(*each))
        shards = int(stack.parameters.get("RotationShards", "1"))
        yield "rotation", lambda: rotation(shards, place.busiest_minute())
        yield "passkeys", lambda: passkeys(stack.parameters.get("PublicBaseUrl", ""))
        yield "identity", lambda: identity(stack.parameters.get("IdentityProvider", ""))


COMMANDS = {"": [doctor]}
