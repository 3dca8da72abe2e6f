"""Questions and answers: what is true of the relations of a sheet, derived on demand.

A question is a relation and values at some of its places. A rule is followed from the questions asked of its head, a
whole set of them at a time, through the literals of its body, which ask questions in turn (query-subquery: Vieille,
*Recursive axioms in deductive databases*, 1986; "magic sets" are the same as a transformation of the rules). Answers
are kept. Relations that depend on each other are answered together, by rounds: each round looks at what the last one
asked and found, until that is nothing. All other relations that a rule asks are answered before it goes on, so that
nothing is said to be absent too early, as the negation is stratified.

Relations that depend on no state are derived as a whole, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from astragal.gdl.reading.rules import Rule
from astragal.gdl.reasoning.chains import Chain, Literal, Places, best_order, chain_of
from astragal.gdl.reasoning.components import components
from astragal.gdl.reasoning.tables import Row, Table, Terms

STATIC, OF_STATE, OF_MOVES = range(3)  # what a relation depends on: nothing, the state, or the state and the moves
FACTS = {"true": OF_STATE, "does": OF_MOVES}
DEEPEST = 50  # relations on the way from a question to what it asks; Python's own stack is not to overflow
NOTHING = Table()

WHOLE: Places = ()
EVERYTHING: set[Row] = {()}  # the one question for a whole relation

Way: TypeAlias = tuple[str, Places]  # a relation and the places that it is queried by


class Component:
    """Relations that depend on each other, or one that does not, with the rules that derive them."""

    def __init__(self, relations: list[str], rules: dict[str, list[Rule]], level: int, height: int) -> None:
        self.relations = relations
        self.rules = rules
        self.level = level
        self.height = height  # how many other components lie between it and the bottom, at most
        self.is_whole = level == STATIC or height % DEEPEST == DEEPEST - 1


class Knowledge:
    """The rules of a sheet, in components, with the chains for every way of asking that has come up."""

    def __init__(self, rules: Sequence[Rule], queries: Iterable[str], terms: Terms) -> None:
        self.terms = terms
        self.component: dict[str, Component] = {}
        self.wholes: dict[int, list[Component]] = {}  # by level those asked for as a whole, each after those it needs
        self._procedures: dict[Way, Procedure] = {}
        of_relation: dict[str, list[Rule]] = {}
        for rule in rules:
            of_relation.setdefault(str(rule.head[0]), []).append(rule)
        used = _uses(queries, of_relation)
        for relations in components(used, used.__getitem__):
            if relations[0] in of_relation:  # others have no rules: the state, the moves, or nothing
                below = {name for relation in relations for name in used[relation]}.difference(relations)
                self._add(relations, below, {relation: of_relation[relation] for relation in relations})

    def _add(self, relations: list[str], below: set[str], rules: dict[str, list[Rule]]) -> None:
        level = max((self.level(name) for name in below), default=STATIC)
        height = max((self.component[name].height + 1 for name in below if name in self.component), default=0)
        component = Component(relations, rules, level, height)
        self.component.update(dict.fromkeys(relations, component))
        if component.is_whole:
            self.wholes.setdefault(level, []).append(component)

    def level(self, relation: str) -> int:
        if relation in self.component:
            return self.component[relation].level
        return FACTS.get(relation, STATIC)

    def procedure(self, way: Way) -> Procedure:
        if way not in self._procedures:
            self._procedures[way] = Procedure(self, way)
        return self._procedures[way]


def _uses(queries: Iterable[str], rules: Mapping[str, Iterable[Rule]]) -> dict[str, list[str]]:
    """From each relation that a query needs to those in the bodies of its rules."""
    used: dict[str, list[str]] = {}
    todo = list(queries)
    while todo:
        relation = todo.pop()
        if relation not in used:
            its_rules = rules.get(relation, ())
            used[relation] = [str(atom[0]) for rule in its_rules for atom in (*rule.positive, *rule.negative)]
            todo += used[relation]
    return used


class Procedure:
    """How a relation is queried in one way: its rules' chains, planned when they are first needed."""

    def __init__(self, knowledge: Knowledge, way: Way) -> None:
        self.way = way
        self.component = knowledge.component[way[0]]
        self.users: list[tuple[Way, Chain]] = []  # chains of the same component that begin with what is found here
        self._knowledge = knowledge
        self._chains: list[tuple[Rule, Chain | None]] = [(rule, None) for rule in self.component.rules[way[0]]]

    def chains(self, evaluation: Evaluation) -> Iterable[Chain]:
        """The chains of those rules whose body is not known to be false as a relation of it is empty.

        In which order a rule joins is decided the first time that it comes to that, by what its relations hold then.
        """
        for number, (rule, chain) in enumerate(self._chains):
            tables = [evaluation.table(str(atom[0])) for atom in rule.positive]
            if any(table is not None and not table.rows for table in tables):
                continue
            if chain is None:
                chain = self._plan(rule, evaluation)
                self._chains[number] = rule, chain
            yield chain

    def _plan(self, rule: Rule, evaluation: Evaluation) -> Chain:
        terms = self._knowledge.terms
        order = best_order(rule, self.way[1], terms, evaluation)
        for number, literal in enumerate(order):
            if literal.relation in self.component.relations:
                way = evaluation.way(literal.relation, literal.places)
                first_here = [Literal(literal.atom), *order[:number], *order[number + 1 :]]
                self._knowledge.procedure(way).users.append((self.way, chain_of(rule, first_here, terms)))
        return chain_of(rule, order, terms)


class Goal:
    """What was asked of a relation in one way, and the answers."""

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.asked = Table()
        self.answers = Table()
        self.new_questions: set[Row] = set()
        self.new_answers: set[Row] = set()

    def ask(self, keys: set[Row]) -> bool:
        """Take in questions; whether any of them is new."""
        new = keys - self.asked.rows
        self.asked.add(new)
        self.new_questions |= new
        return bool(new)

    def answer(self, rows: set[Row]) -> None:
        new = rows - self.answers.rows
        self.answers.add(new)
        self.new_answers |= new


class Evaluation:
    """All answers so far about a sheet, a state of it, or moves in that state; each refers to the one before."""

    def __init__(self, knowledge: Knowledge, facts: dict[str, Table], below: Evaluation | None = None) -> None:
        self.knowledge = knowledge
        self.below = below
        self.level: int = STATIC if below is None else below.level + 1
        self._goals: dict[Way, Goal] = {}
        self._of_component: dict[Component, list[Goal]] = {}
        self._running: set[Component] = set()
        self._tables: dict[str, Table] = {**(below._tables if below else {}), **facts}
        for component in knowledge.wholes.get(self.level, ()):
            tables = {relation: self.ask(relation, WHOLE, EVERYTHING) for relation in component.relations}
            self._tables.update(tables)

    def whole(self, relation: str) -> Table:
        """All that is true of a relation."""
        table = self.table(relation)
        return self.ask(relation, WHOLE, EVERYTHING) if table is None else table

    def table(self, relation: str) -> Table | None:
        """All of a relation, if it is one that is always known as a whole."""
        unknown = None if relation in self.knowledge.component else NOTHING
        return self._tables.get(relation, unknown)

    def way(self, relation: str, places: Places) -> Way:
        return relation, WHOLE if self.knowledge.component[relation].is_whole else places

    def ask(self, relation: str, places: Places, keys: set[Row]) -> Table:
        """A table with all rows of a relation that have one of these keys at these places, and perhaps others.

        Asked by a rule of the same component it holds what is known by now; what follows later is seen to later.
        """
        component = self.knowledge.component[relation]
        if component.level < self.level:
            assert self.below is not None
            return self.below.ask(relation, places, keys)
        if component.is_whole:
            places, keys = WHOLE, EVERYTHING
        goal = self._goal((relation, places))
        if goal.ask(keys) and component not in self._running:
            self._running.add(component)
            self._complete(component)
            self._running.remove(component)
        return goal.answers

    def _goal(self, way: Way) -> Goal:
        goal = self._goals.get(way)
        if goal is None:
            goal = self._goals[way] = Goal(self.knowledge.procedure(way))
            self._of_component.setdefault(goal.procedure.component, []).append(goal)
        return goal

    def _complete(self, component: Component) -> None:
        """Go round until there are no new questions and no new answers."""
        goals = self._of_component[component]
        while any(goal.new_questions or goal.new_answers for goal in goals):
            for goal in list(goals):
                questions, goal.new_questions = Table(goal.new_questions), set()
                for chain in goal.procedure.chains(self) if questions.rows else ():
                    goal.answer(chain.results(self, questions, questions))
                answers, goal.new_answers = Table(goal.new_answers), set()
                for way, chain in goal.procedure.users if answers.rows else ():
                    if way in self._goals:
                        user = self._goals[way]
                        user.answer(chain.results(self, answers, user.asked))
