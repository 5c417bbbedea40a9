"""Use cases that meet, die and lose answers on one synchronous store, in every order that matters.

Each use case is a greenlet. It runs until its next request to DynamoDB and waits there; a schedule
says who continues, and with which fault. Use cases share nothing but the store, so a schedule is
all that can differ between two runs.

`every_order` tries all schedules of a few use cases. It leaves out those that only swap requests
which touch different items, or only read (sleep sets: P. Godefroid, 1996). `every_fault` tries each
fault at each request. `drawn` draws orders and faults from a seed. A failure names its schedule;
SCHEDULE='…' in the environment runs this one alone.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import permutations
from random import Random
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ReadTimeoutError
from greenlet import GreenletExit, getcurrent, greenlet

from orderdesk.adapters import sending
from orderdesk.domain.errors import OrderdeskError
from tests.support.accesses import SINGLE_WRITES, Access, Accesses, Undo
from tests.support.faults import Killed, cancelled, refused_with, registered

# More orders than any two use cases have; a test that has more draws them.
ORDERS_MAX = 2_000
FAULTLESS = 0.8  # the part of drawn turns without a fault, as long as one may come


class Fault(Enum):
    """What can happen to a request."""

    DIES = "dies"  # the process ends before the request is sent
    DIES_AFTER = "dies-after"  # the request is carried out, then the process ends
    LOST = "lost"  # the request is carried out, but its answer does not arrive
    THROTTLED = "throttled"
    CONFLICT = "conflict"  # another transaction is under way for one of the items
    LATE = "late"  # a conflict, and then an earlier request for the same is carried out after all


@dataclass(frozen=True, slots=True)
class Turn:
    """One use case continues with its waiting request."""

    name: str
    fault: Fault | None = None

    def __str__(self) -> str:
        return self.name if self.fault is None else f"{self.name}!{self.fault.value}"

    @classmethod
    def parse(cls, word: str) -> "Turn":
        name, _, fault = word.partition("!")
        return cls(name, Fault(fault) if fault else None)


DIED = Killed()
type Cases = Mapping[str, Callable[[], object]]
# What each use case returned or raised; DIED if its process ended.
type Outcomes = Mapping[str, Any]
type Check = Callable[[Outcomes], None]
# Chooses the next turn from the waiting requests; None abandons the run.
type Choose = Callable[[Mapping[str, Access]], Turn | None]


class ScheduleFailed(AssertionError):
    """A check failed; the text has the schedule."""


@dataclass(slots=True)
class _Case:
    """A use case under way: its waiting request, and the fault with which it continues."""

    name: str
    body: greenlet
    waits: Access | None = None
    fault: Fault | None = None
    token: str | None = None
    late: Any = None
    is_dead: bool = False
    outcome: Any = None


@dataclass(slots=True)
class RunChance:
    """Fills the port `Chance`: the same draws in each run, but tokens that no run had before."""

    random: Random = field(default_factory=Random)
    tokens: int = 0

    def begin(self) -> None:
        self.random.seed(0)

    def below(self, bound: int) -> int:
        return self.random.randrange(bound)

    def token(self) -> str:
        self.tokens += 1
        return f"{self.tokens:032x}"


class Stage:
    """Runs use cases by schedules over clients of one store, and undoes what a run wrote."""

    def __init__(self, *clients: Any, chance: RunChance | None = None) -> None:
        self.clients = list(clients)
        self.chance = chance or RunChance()
        self.runs = 0
        self._accesses = Accesses(clients[0])
        self._undo = Undo(clients[0])
        self._cases: dict[greenlet, _Case] = {}
        self._turns: list[tuple[Turn, Access]] = []
        self._is_noting = False
        self._committed = set[str]()

    def every_order(self, begin: Callable[[], Cases], check: Check) -> int:
        """Check the end of every order of the use cases' requests; return the number of orders.

        `begin` returns the use cases, once for each run.
        """
        if self._run_named(begin, check):
            return 1
        self._run(begin, _in_turn, check)  # fills the caches, so that all further runs are alike
        tree, before = _Orders(), self.runs
        while not tree.is_done:
            assert self.runs - before < ORDERS_MAX, "too many orders: draw them"
            tree.begin()
            self._run(begin, tree.choose, check)
            tree.end()
        return self.runs - before

    def every_fault(
        self, begin: Callable[[], Cases], check: Check, faults: Sequence[Fault] = tuple(Fault)
    ) -> int:
        """Check the end with each fault at each request, one use case after the other.

        Return the number of requests without a fault.
        """
        if self._run_named(begin, check):
            return 0
        requests = 0
        for fault in faults:
            for place in range(ORDERS_MAX):
                faulty = _Faulty(place, fault)
                self._run(begin, faulty.choose, check)
                if not faulty.is_done:
                    break
                requests = max(requests, place + 1)
        return requests

    def drawn(
        self, begin: Callable[[], Cases], check: Check, count: int, *, faulty: bool = True
    ) -> None:
        """Check the end of `count` orders, each with at most two faults if `faulty`."""
        if self._run_named(begin, check):
            return
        for seed in range(count):
            self._run(begin, _Drawn(seed, faults=2 if faulty else 0).choose, check)

    def follow(self, schedule: str, begin: Callable[[], Cases], check: Check) -> None:
        """Run one schedule, as a failure prints it; the rest goes on in the order of the cases."""
        turns = iter([Turn.parse(word) for word in schedule.split()])

        def choose(waiting: Mapping[str, Access]) -> Turn:
            turn = next(turns, None) or Turn(next(iter(waiting)))
            assert turn.name in waiting, f"{turn.name} does not wait; the schedule is of other code"
            return turn

        self._run(begin, choose, check)

    def serial(
        self,
        begin: Callable[[], Cases],
        check: Check = lambda _: None,
        end_of: Callable[[Outcomes], str] | None = None,
    ) -> int:
        """Check that every order ends as one in which the use cases run one after the other.

        `end_of` returns the text that is compared: by default all outcomes, and all changed items.
        `check` is called at each end, too. Return the number of orders.
        """
        end_of = end_of or self.end_of
        ends: dict[str, str] = {}

        def keep(outcomes: Outcomes) -> None:
            check(outcomes)
            ends[end_of(outcomes)] = ", ".join(outcomes)

        def compare(outcomes: Outcomes) -> None:
            check(outcomes)
            end = end_of(outcomes)
            assert end in ends, "\n".join(("no serial order ends like this:", end, "but:", *ends))

        for names in permutations(begin()):
            self._run(partial(_sorted, begin, names), _in_turn, keep)
        return self.every_order(begin, compare)

    def end_of(self, outcomes: Outcomes) -> str:
        """Return the outcomes and all changed items as text, without tokens."""
        results = [f"{name}: {outcomes[name]!r}" for name in sorted(outcomes)]
        return _TOKEN.sub("token", "\n".join((*results, *sorted(self._undo.changes()))))

    def _run_named(self, begin: Callable[[], Cases], check: Check) -> bool:
        named = os.environ.get("SCHEDULE")
        if named is not None:
            self.follow(named, begin, check)
        return named is not None

    def _run(self, begin: Callable[[], Cases], choose: Choose, check: Check) -> None:
        self.runs += 1
        self._turns.clear()
        self.chance.begin()
        try:
            with self._observed():
                outcomes = self._played(begin(), choose)
                if outcomes is not None:
                    check(outcomes)
        except Exception as error:
            raise ScheduleFailed(self._report(error)) from error
        finally:
            self._end_all()
            self._undo.undo()

    def _played(self, cases: Cases, choose: Choose) -> Outcomes | None:
        """Run the use cases to their ends; return None if the run was abandoned."""
        started = [self._started(name, case) for name, case in cases.items()]
        while waiting := {each.name: each.waits for each in started if each.waits is not None}:
            turn = choose(waiting)
            if turn is None:
                return None
            case = next(each for each in started if each.name == turn.name)
            self._turns.append((turn, waiting[turn.name]))
            case.fault, case.waits = turn.fault, None
            case.body.switch()
        for each in started:
            if isinstance(each.outcome, Exception) and not _is_expected(each.outcome):
                raise each.outcome
        return {each.name: each.outcome for each in started}

    def _started(self, name: str, run: Callable[[], object]) -> _Case:
        """Start a use case, and run it to its first request."""

        def body() -> None:
            try:
                case.outcome = run()
            except Killed:
                case.outcome = DIED
            except GreenletExit:
                raise
            except Exception as error:  # noqa: BLE001 - the check judges it
                case.outcome = error

        case = _Case(name, greenlet(body, parent=getcurrent()))
        case.body.gr_context = copy_context()
        self._cases[case.body] = case
        case.body.switch()
        return case

    def _end_all(self) -> None:
        cases, self._cases = self._cases, {}
        for body in cases:
            body.throw(GreenletExit)

    @contextmanager
    def _observed(self) -> Iterator[None]:
        """Stop each request of the clients, and do not sleep before one is sent again."""
        names = sending.__dict__
        real, names["time"] = names["time"], SimpleNamespace(sleep=lambda _: None)
        try:
            with ExitStack() as handlers:
                for client in self.clients:
                    for event, handler in (("before", self._before), ("after", self._after)):
                        handlers.enter_context(
                            registered(client, f"{event}-call.dynamodb", handler)
                        )
                yield
        finally:
            names["time"] = real

    def _before(self, model: Any, params: Mapping[str, Any], **_: Any) -> Any:
        if self._is_noting or model.name == "DescribeTable":
            return None
        access, case = self._accesses.of(model.name, params["body"]), self._cases.get(getcurrent())
        answer = None
        if case is not None:
            if case.is_dead:
                raise Killed  # a block that ends with the process sends nothing
            case.waits, case.token = access, json.loads(params["body"]).get("ClientRequestToken")
            case.body.parent.switch()
            case.is_dead = case.fault is Fault.DIES
            is_over = case.fault in {Fault.CONFLICT, Fault.LATE} and case.token in self._committed
            answer = None if is_over else _answer_of(case.fault, model.name, params["body"])
            if case.fault is Fault.LATE:
                case.late, answer = answer, None
        if answer is None and access.writes:
            self._is_noting = True
            self._undo.note(access)
            self._is_noting = False
        return answer

    def _after(self, http_response: Any, parsed: dict[str, Any], **_: Any) -> None:
        case = self._cases.get(getcurrent())
        if case is None or self._is_noting:
            return
        if case.token is not None and "Error" not in parsed:
            self._committed.add(case.token)  # sent again, it succeeds whatever is under way
        fault, case.fault = case.fault, None
        if fault is Fault.DIES_AFTER:
            case.is_dead = True
            raise Killed
        if fault is Fault.LOST:
            raise ReadTimeoutError(endpoint_url="test")
        late, case.late = case.late, None
        if late is not None and "Error" not in parsed:
            http_response.status_code = late[0].status_code
            parsed |= late[1]

    def _report(self, error: Exception) -> str:
        rows = [f"  {turn!s:<24} {access}" for turn, access in self._turns]
        schedule = " ".join(str(turn) for turn, _ in self._turns)
        return "\n".join((f"{type(error).__name__}: {error}", f"SCHEDULE='{schedule}'", *rows))


def _is_expected(error: Exception) -> bool:
    """Return whether code raises an error on purpose, and not because of a bug (`never`)."""
    return isinstance(error, OrderdeskError) and type(error) is not OrderdeskError


def kinds_of(outcomes: Outcomes) -> str:
    """Return what each use case came to: an order's status, a type, a refusal."""

    def kind(outcome: object) -> str:
        return str(getattr(outcome, "status", type(outcome).__name__))

    return ", ".join(f"{name}: {kind(outcomes[name])}" for name in sorted(outcomes))


_TOKEN = re.compile("0{24}[0-9a-f]{8}")


def _in_turn(waiting: Mapping[str, Access]) -> Turn:
    """Choose the first use case that has not ended."""
    return Turn(next(iter(waiting)))


def _sorted(begin: Callable[[], Cases], names: Sequence[str]) -> Cases:
    cases = begin()
    return {name: cases[name] for name in names}


def _answer_of(fault: Fault | None, operation: str, body: bytes) -> Any:
    """Return the answer of a request that is not carried out; None if it is."""
    match fault:
        case Fault.DIES:
            raise Killed
        case Fault.THROTTLED:
            return SimpleNamespace(status_code=400), refused_with("ThrottlingException")
        case Fault.CONFLICT | Fault.LATE if operation.startswith("Transact"):
            codes = ["None"] * len(json.loads(body)["TransactItems"])
            error = cancelled(*codes[1:], "TransactionConflict")
            return SimpleNamespace(status_code=400), error
        case Fault.CONFLICT | Fault.LATE if operation in SINGLE_WRITES:
            error = refused_with("TransactionConflictException")
            return SimpleNamespace(status_code=400), error
        case _:
            return None


@dataclass(slots=True)
class _Node:
    """A choice: who was chosen, whose continuation was tried, and whose needs no trial here."""

    chosen: str
    sleep: frozenset[str]
    waiting: tuple[str, ...] = ()
    tried: frozenset[str] = frozenset()


class _Orders:
    """Walks the tree of all orders depth first, one run for each branch."""

    def __init__(self) -> None:
        self._path: list[_Node] = []
        self._depth = 0
        self._sleep = frozenset[str]()
        self.is_done = False

    def begin(self) -> None:
        self._depth, self._sleep = 0, frozenset()

    def choose(self, waiting: Mapping[str, Access]) -> Turn | None:
        """Follow the path; beyond its end, continue with the first one that does not sleep."""
        if self._depth == len(self._path):
            awake = [name for name in waiting if name not in self._sleep]
            if not awake:
                return None
            self._path.append(_Node(awake[0], self._sleep))
        node = self._path[self._depth]
        self._depth += 1
        assert node.chosen in waiting, "a run with the same beginning went on differently"
        next_access = waiting[node.chosen]
        self._sleep = frozenset(
            name for name in node.sleep | node.tried if not waiting[name].meets(next_access)
        )
        node.waiting = tuple(waiting)
        return Turn(node.chosen)

    def end(self) -> None:
        """Go to the next branch: the last choice that has another one."""
        while self._path:
            node = self._path[-1]
            node.tried |= {node.chosen}
            left = [name for name in node.waiting if name not in node.tried | node.sleep]
            if left:
                node.chosen = left[0]
                return
            self._path.pop()
        self.is_done = True


@dataclass(slots=True)
class _Faulty:
    """One use case after the other, with one fault at the request `place`, from 0."""

    place: int
    fault: Fault
    is_done: bool = False
    _turn: int = 0

    def choose(self, waiting: Mapping[str, Access]) -> Turn:
        self.is_done = self.is_done or self._turn == self.place
        fault = self.fault if self._turn == self.place else None
        self._turn += 1
        return Turn(next(iter(waiting)), fault)


class _Drawn:
    """Any order, with at most `faults` faults."""

    def __init__(self, seed: int, *, faults: int) -> None:
        self._random = Random(seed)
        self._faults = faults

    def choose(self, waiting: Mapping[str, Access]) -> Turn:
        name = self._random.choice(sorted(waiting))
        if self._faults == 0 or self._random.random() < FAULTLESS:
            return Turn(name)
        self._faults -= 1
        return Turn(name, self._random.choice(list(Fault)))
