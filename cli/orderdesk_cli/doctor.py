"""`orderdesk doctor`: what is wrong or risky about the deployed stack (contract section 9)."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import Said, runs
from orderdesk_cli.complaints import complaint_about
from orderdesk_cli.options import SIDES
from orderdesk_cli.sheets.operators import FINDINGS
from orderdesk_cli.sheets.sheet import Json, value_at

if TYPE_CHECKING:
    from orderdesk_cli.stacks import Installation

type Finding = dict[str, Json]
"""One thing about the stack: its level, what was found, and what to do."""

type Checks = dict[str, Callable[[], Iterable[Finding]]]
"""What does each check, by its name."""

DAY_SECONDS = 86_400
SECRET_DAYS_MAX = 365
# A warm request takes some 20 ms. This leaves room for cold starts and slow identity checks.
SECONDS_A_REQUEST = 0.1
# Containers that are not behind the throttle: send-callback's 50, and ten for the jobs.
CONTAINERS_BESIDE = 60
# One rotation key serves about so many orders a second (docs/capacity.md).
SERVED_A_SHARD = 330
ORDERS_A_SHARD = 250  # this leaves a quarter
_ALIAS = "live"  # what the template lets events call
_CAPS = ("MaxReadRequestUnits", "MaxWriteRequestUnits")
_LASTING = ("Merchants", "Traders", "Orders", "Ledger", "Audit", "Callbacks")
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


def people(place: "Installation") -> Iterator[Finding]:
    """Check the roles whose session names are people: no caller may choose its session name."""
    patterns = place.stack.parameters.get("OperatorRolePatterns", "").split(",")
    for role in place.pages("iam", "list_roles", "Roles"):
        name, trust = role["RoleName"], role["AssumeRolePolicyDocument"]
        is_listed = any(fnmatchcase(name, pattern) for pattern in patterns)
        if is_listed and any(map(_lets_choose, trust["Statement"])):
            says = f"who assumes {name} chooses the session name, and so a person's name"
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


def dead_letters(place: "Installation") -> Iterator[Finding]:
    """Check the queues of callbacks that died and of changes not relayed.

    A merchant's endpoint makes callbacks die, and the queue keeps them for 14 days.
    """
    counted, counts = "ApproximateNumberOfMessages", []
    for output in ("CallbacksDeadLetterQueueUrl", "RelayFailuresQueueUrl"):
        answer = place.client("sqs").get_queue_attributes(
            QueueUrl=place.stack.output(output), AttributeNames=[counted]
        )
        counts.append(int(answer["Attributes"][counted]))
    callbacks, relay_failures = counts
    if callbacks:
        says = f"{callbacks} callbacks died within 14 days and nobody emptied their queue"
        yield risk(says, "orderdesk callback dead; redeliver; empty the queue (the runbook)")
    if relay_failures:
        says = f"{relay_failures} changes were not relayed: their callbacks were never sent"
        yield wrong(says, "the runbook, `RelayFailuresAlarm`")


def alarms(place: "Installation") -> Iterator[Finding]:
    """Check whether the alarms' topic has a confirmed listener, and which alarms are on."""
    topic = place.stack.parameters.get("AlarmTopicArn") or place.resources["AlarmTopic"]
    listeners = place.pages("sns", "list_subscriptions_by_topic", "Subscriptions", TopicArn=topic)
    if not any(each["SubscriptionArn"].startswith("arn:") for each in listeners):
        says = "nobody listens to the alarms' topic"
        yield risk(says, "deploy with AlarmEmail, and confirm the mail that AWS sends")
    own = {name: logical for logical, name in place.resources.items()}
    alarming = place.pages("cloudwatch", "describe_alarms", "MetricAlarms", StateValue="ALARM")
    for name in sorted(own[each["AlarmName"]] for each in alarming if each["AlarmName"] in own):
        yield wrong(f"{name} is in alarm", "the runbook has a row for it")


def schedules(place: "Installation") -> Iterator[Finding]:
    """Check that the stack's schedules are enabled."""
    wanted = {f"{place.stack.name}-{name}" for name in SCHEDULED}
    if place.stack.parameters.get("AutomaticAssignment", "true") == "true":
        wanted.add(f"{place.stack.name}-assign-sells")
    enabled = _schedules(place)
    for name in sorted(wanted):
        if not enabled.get(name, False):
            yield wrong(f"the schedule {name} does not run", "deploy again, or enable it")


def mappings(place: "Installation") -> Iterator[Finding]:
    for output in ("RelayEvents", "SendCallback", "SendPush"):
        function, state = _mapping(place, output)
        if state not in {"Enabled", "Enabling", "Updating", "Creating"}:
            says = f"{function} gets no events: its mapping is {state}"
            yield wrong(says, "deploy again, or enable it")


def standby(place: "Installation") -> Iterator[Finding]:
    """Check a region that only receives replicas: the other region moves orders and relays."""
    running = [f"the schedule {name}" for name, is_on in _schedules(place).items() if is_on]
    relay, state = _mapping(place, "RelayEvents")
    running += [f"the relay {relay}"] if state != "Disabled" else []
    for each in running:
        says = f"{each} runs in a region on standby: it would do what the other region does"
        yield wrong(says, "deploy again with Standby=true, or disable it")


def _schedules(place: "Installation") -> dict[str, bool]:
    """Return whether each of the stack's schedules is enabled, by its function's name."""
    prefix = f"{place.stack.name}-"
    found = place.pages("scheduler", "list_schedules", "Schedules", NamePrefix=prefix)
    return {each["Name"]: each["State"] == "ENABLED" for each in found}


def _mapping(place: "Installation", output: str) -> tuple[str, str]:
    """Return the name of a function, and the state of its event source mapping."""
    name = place.stack.output(f"{output}FunctionName")
    called = f"{name}:{_ALIAS}"
    found = place.pages(
        "lambda", "list_event_source_mappings", "EventSourceMappings", FunctionName=called
    )
    return name, next((each["State"] for each in found), "missing")


def tables(place: "Installation") -> Iterator[Finding]:
    """Check the tables that must last.

    A cap of units whose parameter is 0 is one that was set before: CloudFormation leaves it.
    """
    unset = [cap for cap in _CAPS if place.stack.parameters.get(cap, "0") == "0"]
    client = place.client("dynamodb")
    for each in _LASTING:
        name = place.stack.output(f"{each}TableName")
        described = client.describe_table(TableName=name)["Table"]
        for units in unset:
            if described.get("OnDemandThroughput", {}).get(units, -1) > 0:
                says = f"{name} keeps the cap of an earlier {units}"
                remedy = f"aws dynamodb update-table, with {units}=-1 (docs/deploying.md)"
                yield risk(says, remedy)
        backups = client.describe_continuous_backups(TableName=name)
        recovery = backups["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        if recovery["PointInTimeRecoveryStatus"] != "ENABLED":
            says = f"{name} cannot be restored to a point in time"
            yield wrong(says, "deploy again: the template switches it on")
        if not described.get("DeletionProtectionEnabled", False):
            yield risk(f"{name} can be deleted by one call", "deploy with ProtectTables=true")


def throttle(place: "Installation", rate: float, burst: int) -> Iterator[Finding]:
    """Check the stage's throttle against the account's; requests a second, and at once."""
    limits = place.client("apigateway").get_account()["throttleSettings"]
    for name, own, whole in (
        ("ThrottleRate", rate, limits["rateLimit"]),
        ("ThrottleBurst", burst, limits["burstLimit"]),
    ):
        if own > whole:
            says = f"{name} is {own:g}, but all APIs of the account together get {whole:g}"
            yield wrong(says, f"lower {name}, or ask AWS for more")


def concurrency(place: "Installation", rate: float) -> Iterator[Finding]:
    """Check the account's containers against what the throttle lets through."""
    limits = place.client("lambda").get_account_settings()["AccountLimit"]
    containers_max = int(limits["ConcurrentExecutions"])
    need = round(rate * SECONDS_A_REQUEST) + CONTAINERS_BESIDE
    if need > containers_max:
        says = f"{rate:g} requests a second need some {need} containers of {containers_max}"
        yield wrong(says, "ask AWS for a higher quota, or lower ThrottleRate")


def rotation(place: "Installation") -> Iterator[Finding]:
    """Check the rotation keys against the calls of createOrder in a day's busiest minute."""
    shards, now = int(place.stack.parameters.get("RotationShards", "1")), datetime.now(UTC)
    function = place.stack.output("CreateOrderFunctionName")
    answer = place.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/Lambda",
        MetricName="Invocations",
        Dimensions=[{"Name": "FunctionName", "Value": function}],
        StartTime=now - timedelta(days=1),
        EndTime=now,
        Period=60,
        Statistics=["Sum"],
    )
    per_second = max((int(point["Sum"]) for point in answer["Datapoints"]), default=0) / 60
    if per_second > shards * ORDERS_A_SHARD:
        served = shards * SERVED_A_SHARD
        says = f"{per_second:.0f} orders a second: {shards} rotation keys serve {served}"
        yield risk(says, "the runbook, Raising RotationShards")


def rights(place: "Installation") -> Iterator[Finding]:
    """Check each function's role: its actions against the template's, and policies attached to it.

    Conditions and resources are not compared.
    """
    answer = place.client("cloudformation").get_template(
        StackName=place.stack.name, TemplateStage="Processed"
    )
    for logical_id, resource in answer["TemplateBody"]["Resources"].items():
        role = place.resources.get(logical_id)  # None: its condition does not hold
        is_role = resource["Type"] == "AWS::IAM::Role" and "Policies" in resource["Properties"]
        if role is None or not is_role:
            continue
        policies = [each["PolicyDocument"] for each in resource["Properties"]["Policies"]]
        yield from _rights_of(place, role, set[str]().union(*map(actions_of, policies)))


def _rights_of(place: "Installation", role: str, declared: Collection[str]) -> Iterator[Finding]:
    client, present = place.client("iam"), set[str]()
    for policy in client.list_role_policies(RoleName=role)["PolicyNames"]:
        document = client.get_role_policy(RoleName=role, PolicyName=policy)
        present |= actions_of(document["PolicyDocument"])
    more = sorted(present.difference(declared))
    if more:
        says = f"{role} may do more than the template says: {', '.join(more)}"
        yield wrong(says, "find out who changed it; deploy again")
    for policy in client.list_attached_role_policies(RoleName=role)["AttachedPolicies"]:
        says = f"{role} has a policy that the template does not attach: {policy['PolicyArn']}"
        yield wrong(says, "find out who attached it; detach it")


def identity(place: "Installation") -> Iterator[Finding]:
    """Check the identity provider of a stack on AWS."""
    if place.stack.parameters.get("IdentityProvider", "") == "sandbox":
        says = "identities are verified by the sandbox: everybody passes"
        yield wrong(says, "deploy with another IdentityProvider")


def passkeys(place: "Installation") -> Iterator[Finding]:
    """Check the host that the portal's passkeys belong to."""
    if not place.stack.parameters.get("PublicBaseUrl", ""):
        says = "passkeys of the merchants' portal belong to the API's own address"
        yield risk(says, "set DomainName and PublicBaseUrl before the first merchant invite")


def deployment(place: "Installation") -> Iterator[Finding]:
    """Check CloudFormation's status of the stack."""
    status = place.stack.status
    if not status.endswith("_COMPLETE") or "ROLLBACK" in status:
        says = f"the last deployment ended as {status}"
        yield wrong(says, "look at the stack's events; deploy again")


def actions_of(document: Mapping[str, Any]) -> set[str]:
    """Name what a policy allows, whatever its conditions; both branches of an Fn::If."""
    found: set[str] = set()
    for written in _listed(document["Statement"]):
        for statement in written.get("Fn::If", [written]):
            if isinstance(statement, Mapping) and statement.get("Effect") == "Allow":
                for action in _listed(statement["Action"]):
                    branches = action["Fn::If"][1:] if isinstance(action, Mapping) else [action]
                    found |= {each for branch in branches for each in _listed(branch)}
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _hours(seconds: int) -> str:
    return f"{seconds / 3600:.0f} h"


@runs("doctor", directly=True)
def doctor(installation: "Installation", _: Said) -> Answer:
    """Report what is wrong or risky about the stack, a line each; exit code 1 if it is wrong.

    What AWS does not let you look at is a risk, and is named. It uses AWS with your own rights.
    """
    return report(_checks(installation))


def report(checks: Checks) -> Answer:
    """Look at everything, by its check's name, and answer with what was found, the worst first."""
    found: list[Finding] = []
    for name, check in checks.items():
        try:
            seen = list(check())
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


def _checks(place: "Installation") -> Checks:
    """Return what does each check. Nothing but the stack is read before it is called."""
    parameters, api, now = place.stack.parameters, place.api, int(time.time())
    rate = float(parameters.get("ThrottleRate", "500"))
    burst = int(parameters.get("ThrottleBurst", "1000"))
    max_age = int(parameters.get("RateMaxAgeSeconds", "86400"))
    is_standby = parameters.get("Standby") == "true"
    checks: Checks = {
        "deployment": lambda: deployment(place),
        "rates": lambda: rates(now, max_age, api.call("rate.list")),
        "dead letters": lambda: dead_letters(place),
        "standby": lambda: standby(place) if is_standby else (),
        "schedules": lambda: () if is_standby else schedules(place),
        "mappings": lambda: () if is_standby else mappings(place),
        "alarms": lambda: alarms(place),
        "secrets": lambda: secrets(now, api.items("merchant.list")),
        "accounts": lambda: accounts(now, api.items("trader.list")),
        "throttle": lambda: throttle(place, rate, burst),
        "concurrency": lambda: concurrency(place, rate),
        "roles": lambda: rights(place),
        "people": lambda: people(place),
    }
    if not place.is_emulated:  # an emulator has no backups, and its identities are invented
        for check in (tables, rotation, passkeys, identity):
            checks[check.__name__] = partial(check, place)
    return checks


COMMANDS = {"": [doctor]}
