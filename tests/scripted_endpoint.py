"""An OpenAI-compatible endpoint on loopback that plays the sample's scripts: agent, simulated customer and judge.

No model is asked. What it answers follows from the request alone, but for faults, which come once each: an answer of
429, a broken connection, a slow answer, arguments that are no JSON, a tool that does not exist, an empty reply.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from reviewer.benchmark.live.prompt_files import STOP, prompt
from reviewer.benchmark.live.verdict import rubrics
from reviewer.benchmark.northline.judges import FIRST
from reviewer.benchmark.northline.sample_conversations import chosen, sampled
from reviewer.transcripts.model import Conversation, Message

JUDGES = {"judge": FIRST, "second": "second judge"}
READER = "reader"
"""Reads for failure modes: names the first words of the last reply for each, and with it what cannot be kept."""
HALF, ESCAPED = "\ud83d", "\\ud83d"
"""Half a surrogate pair, and how JSON escapes it."""
FAULTS = ("429", "cut", "slow", "no-json", "no-tool", "empty")
_STRAY = "call_stray"


@dataclass
class Script:
    """What one model and its customer say in one case."""

    conversation: Conversation

    @cached_property
    def agent(self) -> list[Message]:
        """The agent's messages; where calls are the last word, an empty one is."""
        said: list[Message] = []
        for turn, _ in self.turns:
            said += turn if not turn[-1].calls else [*turn, Message("agent")]
        return said

    @cached_property
    def turns(self) -> list[tuple[list[Message], str]]:
        """The agent's messages up to one without a call, and what the customer answers."""
        turns: list[tuple[list[Message], str]] = []
        own: list[Message] = []
        messages = [each for each in self.conversation.messages if each.role in ("customer", "agent")][1:]
        for at, message in enumerate(messages):
            following = messages[at + 1] if at + 1 < len(messages) else None
            if message.role == "agent":
                own.append(message)
                if not message.calls or following is None or following.role == "customer":
                    turns.append((own, self._answer(messages, at)))
                    own = []
        return turns

    def _answer(self, messages: Sequence[Message], at: int) -> str:
        if at + 1 == len(messages):
            return STOP
        if messages[at + 1].role == "agent":
            return "Okay."
        last = " " + STOP if at + 2 == len(messages) else ""
        return messages[at + 1].text + last


@dataclass
class Stall:
    """A time in which so many requests are answered and the others are kept waiting, as by a server that is stuck."""

    left: int
    reached: threading.Event = field(default_factory=threading.Event)
    """Set once a request is kept waiting: all before it were answered."""
    over: threading.Event = field(default_factory=threading.Event)


@dataclass
class Endpoint:
    """The scripts that are played, the faults that have been, and what was asked."""

    scripts: dict[tuple[str, str], Script]
    faults: tuple[str, ...] = ()
    asked: Counter[str] = field(default_factory=Counter)
    """Requests by the name of the model."""
    probed: list[tuple[str, int]] = field(default_factory=list)
    """The models that were asked whether they are ready, and how many tokens each may answer with."""
    done: set[tuple[str, ...]] = field(default_factory=set)
    puzzled: list[str] = field(default_factory=list)
    """What no script answers."""
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Status and words with which a model refuses, by its name."""
    failing: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Status and words with which a model, or whoever speaks in a case, fails once it was ready."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0
    stall: Stall | None = None
    decisions: tuple[tuple[int, tuple[Message, ...]], ...] = ()
    """After how many messages of its own the agent says something else, and what, by turns."""
    decided: Counter[int] = field(default_factory=Counter)
    garbled: frozenset[str] = frozenset()
    """Cases about which the reader's answers are no JSON."""
    misquotes: Counter[str] = field(default_factory=Counter)
    """About how many questions more a judge quotes what nobody said, by case."""
    speechless: frozenset[str] = frozenset()
    """Cases about which a judge gives no number."""
    halved: frozenset[str] = frozenset()
    """Cases in which whoever speaks, calls, judges or fails writes half a surrogate pair."""
    role_breaks: frozenset[str] = frozenset()
    """Cases whose customer answers as the agent would."""

    @contextmanager
    def stuck_after(self, answers: int) -> Iterator[Stall]:
        """Answer so many more requests and no other until the block ends; then all that were kept waiting."""
        self.stall = stall = Stall(answers)
        try:
            yield stall
        finally:
            self.stall = None
            stall.over.set()

    def heard(self, model: str) -> None:
        """Count a request, and keep it waiting where that is its turn."""
        with self.lock:
            self.asked[model] += 1
            stall = self.stall
            if stall is not None:
                stall.left -= 1
        if stall is not None and stall.left < 0:
            stall.reached.set()
            stall.over.wait()

    @cached_property
    def by_opening(self) -> dict[str, str]:
        """The case by its first message."""
        facts = (script.conversation.facts for script in self.scripts.values())
        return {each.opening: each.id for each in facts if each is not None and each.opening}

    @cached_property
    def order(self) -> list[str]:
        """The cases, so that every fault has its own."""
        return sorted({case for _, case in self.scripts})

    def once(self, fault: str, *where: str) -> bool:
        """True the first time that a fault is due there; each is due in every sixth case."""
        if fault not in self.faults or self.order.index(where[-1]) % len(FAULTS) != FAULTS.index(fault):
            return False
        with self.lock:
            new = (fault, *where) not in self.done
            self.done.add((fault, *where))
        return new

    def answer(self, asked: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
        """What a request is answered with, and the case and model that it is about."""
        model, messages = asked["model"], asked["messages"]
        texts = [_text(each) for each in messages]
        if probed(asked):
            with self.lock:
                self.probed.append((model, asked.get("max_tokens") or asked.get("max_completion_tokens") or 0))
            return {"content": "ready"}, model, ""
        if model in JUDGES:
            return {"content": self._judged(model, texts[-1])}, model, ""
        if model == READER:
            return {"content": self._read(texts[-1])}, model, ""
        case = next(case for opening, case in self.by_opening.items() if opening in texts)
        if texts[0].startswith("You play a customer"):
            return {"content": self._customer(case, messages)}, model, case
        return self._agent(model, case, messages), model, case

    def _agent(self, model: str, case: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
        said = [each for each in messages if each["role"] == "assistant"]
        stray = sum(any(c["id"].startswith(_STRAY) for c in each.get("tool_calls") or []) for each in said)
        stray += self._emptied(model, case) and len(said) > 0
        at = len(said) - stray
        script = self.scripts[model, case].agent
        if at == 0 and self.once("no-json", model, case):
            return _calling([(f"{_STRAY}_1", "lookup_order", '{"order_number": "#11')])
        if at == 0 and self.once("no-tool", model, case):
            return _calling([(f"{_STRAY}_2", "check_the_weather", '{"city": "Leeds"}')])
        if at == 0 and not said and self.once("empty", model, case):
            return {"content": ""}
        message = script[at] if at < len(script) else Message("agent", "Is there anything else?")
        for after, by_turns in self.decisions:
            if at == after:
                with self.lock:
                    self.decided[at] += 1
                    message = by_turns[(self.decided[at] - 1) % len(by_turns)]
        made = _calling([(f"call_{at}_{k}", c.name, c.arguments or "{}") for k, c in enumerate(message.calls)])
        return {**made, "content": message.text or None} if message.calls else {"content": message.text}

    def _emptied(self, model: str, case: str) -> bool:
        return ("empty", model, case) in self.done

    def _customer(self, case: str, messages: list[dict[str, Any]]) -> str:
        heard = [_text(each) for each in messages if each["role"] == "user"][1:]
        model = max(
            (name for name, of in self.scripts if of == case), key=lambda name: self._heard_of(name, case, heard)
        )
        at = len(heard) - 1 - self._emptied(model, case)
        if at < 0:
            return "Hello? Are you still there?"
        if case in self.role_breaks:
            return "Hello! How can I help you today?"
        turns = self.scripts[model, case].turns
        return turns[at][1] if at < len(turns) else STOP

    def _read(self, question: str) -> str:
        about, _, record = question.partition("\n# The conversation\n")
        record = record.partition("\n# How you answer\n")[0]
        if any(f", customer\n{opening}" in record for opening, case in self.by_opening.items() if case in self.garbled):
            return "I would rather not say [so]."
        said = re.findall(r"^\[\[\w+\]\] message (\d+), agent\n(\S.*)$", record, re.MULTILINE)
        said = [each for each in said if "think>" not in each[1]]  # which Inspect takes out of an answer
        if not said:
            return "[]"
        number, words = int(said[-1][0]), said[-1][1]
        told = [
            {"mode": mode, "message": number, "quote": words, "reason": f"It says so: {mode}."}
            for mode in re.findall(r"^## (\S+)$", about.rpartition("\n# What you look for\n")[2], re.MULTILINE)
        ]
        told += [
            {**told[0], "quote": "Words that nobody said."},
            {**told[0], "mode": "tone"},
            {"mode": told[0]["mode"]},
        ]
        return f"Here it is:\n```json\n{json.dumps(told)}\n```"

    def _heard_of(self, model: str, case: str, heard: list[str]) -> int:
        """How much of what a customer heard is in a model's script."""
        own = {message.text.strip() for message in self.scripts[model, case].agent}
        return sum(any(text and text in each for text in own) for each in heard)

    def _judged(self, role: str, question: str) -> str:
        rubric = next(each for each in rubrics() if each.text in question)
        case = next(case for opening, case in self.by_opening.items() if f", customer\n{opening}" in question)
        texts = {
            name: [m.text.strip() for m in script.agent if m.text.strip()]
            for (name, of), script in self.scripts.items()
            if of == case
        }
        model = max(texts, key=lambda name: sum(text in question for text in texts[name]))
        scorer = rubric.name.replace("_", "-")
        score = next(
            s for s in self.scripts[model, case].conversation.scores if (s.scorer, s.judge) == (scorer, JUDGES[role])
        )
        note = score.note or "Nothing to add."
        if case in self.speechless:
            return "I would rather not say."
        if case in self.halved:
            return f"NOTE: {note} {HALF}\nSCORE: {score.value}"
        with self.lock:
            if self.misquotes[case]:
                self.misquotes[case] -= 1
                note = 'It wrote "these words were said by nobody at all".'
        return f"NOTE: {note}\nSCORE: {score.value}"


def halved(message: dict[str, Any]) -> dict[str, Any]:
    """A reply with half a surrogate pair at the end of its words and in each argument of its calls."""
    content = message.get("content")
    for call in message.get("tool_calls") or []:
        call["function"]["arguments"] = re.sub('": ?"', f'": "\\{ESCAPED}', call["function"]["arguments"])
    return {**message, "content": content and f"{content} {HALF}"}


def probed(asked: dict[str, Any]) -> bool:
    """True for the question whether a model is ready."""
    return _text(asked["messages"][-1]) == "Say: ready."


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _calling(calls: list[tuple[str, str, str]]) -> dict[str, Any]:
    told = [{"id": id, "type": "function", "function": {"name": name, "arguments": raw}} for id, name, raw in calls]
    return {"content": None, "tool_calls": told}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        endpoint = cast(Any, self.server).endpoint
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint.heard(asked["model"])
        if asked["model"] in endpoint.refused:
            status, words = endpoint.refused[asked["model"]]
            self._send(status, {"error": {"message": words, "type": "invalid_request_error"}})
            return
        try:
            message, model, case = endpoint.answer(asked)
        except (LookupError, StopIteration) as error:
            endpoint.puzzled.append(f"{type(error).__name__} {error} on {asked['model']}: {asked['messages'][-1]}")
            self._send(400, {"error": {"message": endpoint.puzzled[-1]}})
            return
        if case in endpoint.halved:
            message = halved(message)
        if failure := endpoint.failing.get(case) or (endpoint.failing.get(model) if not probed(asked) else None):
            self._send(failure[0], {"error": {"message": failure[1], "type": "invalid_request_error"}})
            return
        if case and endpoint.once("429", model, case):
            self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "0"})
            return
        if case and endpoint.once("slow", model, case):
            time.sleep(1)
        told = json.dumps(_completion(model, message, asked["messages"])).encode()
        if case and endpoint.once("cut", model, case):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told[: len(told) // 2])
            self.close_connection = True
            return
        self._send(200, told)

    def _send(self, status: int, told: Any, headers: dict[str, str] | None = None) -> None:
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _completion(model: str, message: dict[str, Any], asked: list[dict[str, Any]]) -> dict[str, Any]:
    read = sum(len(_text(each)) for each in asked) // 4
    written = len(json.dumps(message)) // 4
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_780_000_000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", **message},
                "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
            }
        ],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no error of ours."""


@contextmanager
def playing(models: Sequence[str], cases: Sequence[str], faults: Sequence[str] = ()) -> Iterator[Endpoint]:
    """Serve the scripts of these models' first runs of these cases."""
    scripts = {
        (item.conversation.model, item.conversation.case or ""): Script(item.conversation)
        for item in sampled(chosen(list(models)))
        if item.conversation.run == 1 and item.conversation.case in cases
    }
    with serving(scripts, faults) as endpoint:
        yield endpoint


@contextmanager
def serving(scripts: dict[tuple[str, str], Script], faults: Sequence[str] = ()) -> Iterator[Endpoint]:
    """Serve scripts, by model and case."""
    assert prompt("judge.md")
    endpoint = Endpoint(scripts, tuple(faults))
    server = _Server(("127.0.0.1", 0), _Handler)
    cast(Any, server).endpoint = endpoint
    endpoint.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
