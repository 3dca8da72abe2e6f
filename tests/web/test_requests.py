"""Requests made up from the server's own schema, sensible and not: each gets an answer, and none is our fault."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from astragal.arena.contest import Contest
from support.arenas import play
from support.web_servers import events_of, serving

GAMES = ["tic_tac_toe", "pig:goal=30", "ewn", "rock_paper_scissors.kif", "kalah:pits=3", "focus:players=3"]
TEXTS: dict[str, list[Any]] = {  # what is worth trying under a name, besides what the schema allows
    "game": [*GAMES, "pig:goal=0", "pig:goal", "x.py:A", "../pig", ":", "tic_tac_toe.kif:seconds=1", "pig:goal=1e9"],
    "player": [
        "person",
        "random",
        "greedy",
        "uct:sims=20",
        "uct:sims=-1",
        "uct:c=nan",
        "hold",
        "optimal",
        ":",
        "x:y=z",
    ],
    "position": [
        "",
        "0 0 0 1 roll",
        "29 29 1 2 decide",
        "xxx/.../ooo x",
        "(lead 5) (round 1)",
        "((((",
        "\0",
        "9" * 500,
    ],
    "action": [0, 1, 2, "roll", "hold", "a1", "paper", -1, 2**32 - 1, 2**70],
    "outcome": [0, 1, 5, "1", None],
    "over": ["depth", "time", "nonsense"],
}
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    results = tmp_path_factory.mktemp("results") / "results.db"
    play(Contest.of("tic_tac_toe", ["random", "greedy"]), 2, results)
    with serving(results=results, seconds=0.05, default_seconds=0.05, sessions=40) as server:
        yield server


@pytest.fixture(scope="module")
def operations(served):
    """Every path and method of the schema, with what they take."""
    schema = served.get("/api/openapi.json").json()
    found = [
        (path, method, facts)
        for path, methods in schema["paths"].items()
        for method, facts in methods.items()
        if path != "/api/results/live"  # which has no end
    ]
    assert len(found) > 25
    return schema, found


def values(schema: dict[str, Any], kind: dict[str, Any], name: str) -> st.SearchStrategy[Any]:
    """What a part of the schema allows."""
    if "$ref" in kind:
        return values(schema, schema["components"]["schemas"][kind["$ref"].rpartition("/")[2]], name)
    if "anyOf" in kind:
        return st.one_of([values(schema, each, name) for each in kind["anyOf"]])
    known = TEXTS.get("player" if name in ("seats", "players") else name, [])
    match kind.get("type"):
        case "object":
            required = kind.get("required", [])
            fields = {key: values(schema, each, key) for key, each in kind.get("properties", {}).items()}
            optional = {key: each for key, each in fields.items() if key not in required}
            return st.fixed_dictionaries({key: fields[key] for key in required}, optional=optional)
        case "array":
            least, most = kind.get("minItems", 0), min(4, kind.get("maxItems", 4))
            return st.lists(values(schema, kind["items"], name), min_size=least, max_size=most)
        case "integer":
            low = kind.get("minimum", 0)
            return st.integers(low, min(kind.get("maximum", low + 6), low + 6)) | st.sampled_from([low, 2**31, 10**30])
        case "number":
            return st.floats(0.001, 1e6)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    texts = [text for text in known if isinstance(text, str)]
    return (st.sampled_from(texts) | st.sampled_from(texts) | st.text(max_size=30)) if texts else st.text(max_size=30)


@st.composite
def requests(draw: Any, schema: dict[str, Any], found: list[Any]) -> tuple[Any, ...]:
    """A method, a path in which a number stands for a session, a query and a body."""
    path, method, facts = draw(st.sampled_from(found))
    query = {}
    for given_as in facts.get("parameters", []):
        name = given_as["name"]
        right = values(schema, given_as["schema"], name)
        value = draw(right if draw(st.integers(0, 5)) else st.text(max_size=8))
        if given_as["in"] == "path":
            if name == "id" and draw(st.integers(0, 9)):
                path = path.replace("{id}", f"{{{draw(st.integers(0, len(GAMES) - 1))}}}")
            path = path.replace(f"{{{name}}}", quote(str(value), safe="") or "-")
        elif given_as["required"] or draw(st.booleans()):
            query[name] = value
    body = None
    if "requestBody" in facts:
        kind = facts["requestBody"]["content"]["application/json"]["schema"]
        body = draw(values(schema, kind, "")) if draw(st.integers(0, 7)) else draw(JUNK)
    return method, path, query, body


sessions: dict[int, str] = {}


def living(served: Any, number: int) -> str:
    """The id of a session of each game, a new one where it is gone."""
    if sessions.get(number) not in served.state.sessions.by_id:
        sessions[number] = served.session(GAMES[number], seed=number)["id"]
    return sessions[number]


@pytest.mark.slow
@pytest.mark.interpreted
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_request_is_a_fault_of_the_server(served, operations, data):
    method, path, query, body = data.draw(requests(*operations))
    path = path.format(*(living(served, number) for number in range(len(GAMES)))) if "{" in path else path
    content = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with served.client.stream(method, path, params=query, content=content, headers=headers) as answer:
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            events = list(events_of(answer))
            assert events
            assert not any(name == "failed" and "Error" in facts["error"] for name, facts in events), events
            return
        text = answer.read().decode()
    assert answer.status_code < 500, (method, path, query, body, text)
    if answer.status_code >= 400:
        sentence = json.loads(text)["error"]
        assert sentence
        assert "\n" not in sentence
