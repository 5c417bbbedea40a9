"""The frame of every command: identity, path, body, envelope, codes and the log.

API Gateway has checked the request's signature and that IAM allows the path. It names the caller in
`requestContext.identity`; nothing of the request itself does. The signed headers (`authorization`,
`x-amz-security-token`), parameters and texts of refusals are never logged.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from aws_lambda_powertools.logging import Logger
from pydantic import ValidationError

from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.signing import JsonValue, json_text
from orderdesk.domain.operators import Caller, person_of
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import Operator, ProposalNeeded, RequestKey, request_digest
from orderdesk.services.operator.proposals import Repeated, SentCommand, once, propose
from orderdesk.web.body import read_body
from orderdesk.web.codes import CODES, INTERNAL_ERROR, SUCCESS, SUCCESS_CODE, InvalidParameters
from orderdesk.web.http import Request, Response, log_unexpected, proxy_response, request_of
from orderdesk.web.merchant.endpoint import envelope
from orderdesk.web.merchant.parameters import problems_of
from orderdesk.web.operator import (  # noqa: F401 they declare commands
    blocks,
    books,
    callbacks,
    funds,
    merchants,
    moves,
    orders,
    proposals,
    reports,
    traders,
)
from orderdesk.web.operator.declare import DECLARED, Command, OperatorPorts, Role, command
from orderdesk.web.operator.parameters import CommandParameters, NoParameters, WriteParameters
from orderdesk.web.operator.parties import ids_of
from orderdesk.web.operator.proposals import repeated
from orderdesk.web.operator.refusals import NotAnOperator, UnknownCommand, data_of, operator_code_of

COMMANDS: Mapping[str, Command[Any]] = MappingProxyType(DECLARED)


def perform(
    ports: OperatorPorts, asked: SentCommand, parameters: CommandParameters
) -> Mapping[str, object]:
    """Run a command, or propose it if it needs a second person; return the answer's data."""
    try:
        return COMMANDS[asked.command].run(ports, parameters)
    except ProposalNeeded as needed:
        proposal = propose(ports, asked, needed)
        return proposals.proposed(ports, proposal)


@command("rights.list", Role.VIEWER)
def _list_rights(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Show who you are to the operators' API, and which commands you may call."""
    allowed = sorted(ports.rights.allowed(COMMANDS.keys()))
    return {
        "person": ports.operator.who,
        "items": allowed,
        "roles": {name: command.role.value for name, command in COMMANDS.items()},
        "schemas": {name: command.schema() for name, command in COMMANDS.items()},
        "next": None,
    }


SOLO = "/solo/"
_KEY = "idempotency_key"
_LOGGED = ("request_id", "command", "person")


@dataclass(frozen=True, slots=True)
class Stage:
    """The deployed stage of the API that was called; IAM's resources begin with it."""

    account: str
    api_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Access:
    """Whose identity names a person, and how the ports for a caller are opened."""

    role_patterns: tuple[str, ...]
    allow_root: bool
    ports_of: Callable[[Caller, RequestKey | None, Stage], OperatorPorts]


def answer(event: Mapping[str, Any], logger: Logger, access: Access) -> dict[str, Any]:
    """Run the command of an API Gateway event, and return its response.

    A refusal returns its code and logs one line. Any other error returns 5000, and an alarm counts
    it.
    """
    request = request_of(event)
    logger.append_keys(request_id=request.request_id)
    try:
        return proxy_response(_respond(event, request, logger, access), request.request_id)
    finally:
        logger.remove_keys(_LOGGED)


def _respond(
    event: Mapping[str, Any], request: Request, logger: Logger, access: Access
) -> Response:
    now, chinese = time.time_ns() // (1000 * US_PER_SECOND), request.prefers_chinese
    try:
        data = _run(event, request, logger, access)
    except Refusal as refusal:
        code = operator_code_of(refusal)
        logger.info("refused", extra={"code": code.code, "reason": refusal.reason})
        return envelope(code, data_of(refusal), now, chinese=chinese)
    except Exception as error:  # noqa: BLE001 - every error must have a response
        log_unexpected(logger, error)
        return envelope(CODES[INTERNAL_ERROR], {"reason": INTERNAL_ERROR}, now, chinese=chinese)
    logger.info("done", extra={"code": SUCCESS_CODE})
    return envelope(SUCCESS, data, now, chinese=chinese)


def _run(
    event: Mapping[str, Any], request: Request, logger: Logger, access: Access
) -> Mapping[str, object]:
    name, alone = _command_of(event)
    caller = _caller_of(event, request, access, alone=alone)
    logger.append_keys(command=name, person=caller.person)
    if alone:
        # The metric filter ActingAlone counts this line by its field. It is written before the
        # command runs, so that a crash cannot hide the call.
        logger.warning("alone", extra={"alone": True})
    sent, asked = _parameters(COMMANDS[name], request)
    context = event["requestContext"]
    stage = Stage(context["accountId"], context["apiId"], context["stage"])
    key = _key_of(name, asked, alone=alone)
    ports = access.ports_of(caller, key, stage)

    def run(operator: Operator) -> Mapping[str, object]:
        ids = ids_of(asked, ports)
        stored = {each: sent[each] for each in sent if each != _KEY} | ids
        whole = asked.model_copy(update=ids)
        command = SentCommand(name, json_text(stored))
        return perform(ports.acting(operator), command, whole)

    done = once(ports.proposals, ports.operator, run)
    return repeated(ports, name, done) if isinstance(done, Repeated) else done


def _key_of(name: str, asked: CommandParameters, *, alone: bool) -> RequestKey | None:
    """Return the idempotency key of a write, with the digest of its request."""
    if not isinstance(asked, WriteParameters) or asked.idempotency_key is None:
        return None
    sent = asked.model_dump(mode="json", exclude={_KEY})
    return RequestKey(asked.idempotency_key, request_digest(name, sent, alone=alone))


def _command_of(event: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the command that the whole path names, and whether its caller acts alone.

    IAM has compared this path with the caller's policies, so nothing of it is normalised. Raises:
    UnknownCommand.
    """
    path = event["path"]
    alone = path.startswith(SOLO)
    name = path.removeprefix(SOLO if alone else "/")
    if event["httpMethod"] != "POST" or name not in COMMANDS:
        raise UnknownCommand
    return name, alone


def _caller_of(
    event: Mapping[str, Any], request: Request, access: Access, *, alone: bool
) -> Caller:
    """Return the person whom AWS identified. Raises: NotAnOperator."""
    arn = event["requestContext"]["identity"].get("userArn") or ""
    person = person_of(arn, access.role_patterns, allow_root=access.allow_root)
    if person is None:
        raise NotAnOperator
    return Caller(person, arn, request.source_ip, request.request_id, alone=alone)


def _parameters(
    command: Command[Any], request: Request
) -> tuple[dict[str, JsonValue], CommandParameters]:
    """Return a command's parameters as sent and parsed. Raises: InvalidBody, InvalidParameters."""
    body = read_body(request)
    sent: dict[str, JsonValue] = {name: body[name] for name in body if body[name] is not None}
    try:
        asked: CommandParameters = command.parameters.model_validate(sent)
    except ValidationError as error:
        raise InvalidParameters(problems_of(error)) from None
    return sent, asked
