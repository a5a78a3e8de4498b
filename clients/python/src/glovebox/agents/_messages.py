"""What is said to a model and what it answers: as functions of users have it, and as the engine has it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from .._values.json_text import dump, loads
from .._values.types import ANY, Param, Signature, Type

Json = dict[str, Any]

# A question to a model, and its answer.
_OBJECT = Type("dict", (Type("str"), ANY))
MODEL_SIGNATURE = Signature((Param("request", _OBJECT),), (Param("answer", _OBJECT),))


@dataclass
class LLMMessage:
    """What a model answered.

    Args:
        content: Its text.
        tool_calls: The calls that it asks for, each with ``id``, ``name`` and ``arguments``.
        raw: Whatever the provider sent. It is not kept.
        usage: ``input_tokens`` and ``output_tokens``, which count for a budget.
    """

    __module__ = "glovebox.agents"  # where users find it

    content: str | None
    tool_calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    raw: Any = None
    usage: Mapping[str, int] = field(default_factory=dict[str, int])


# It is given the model, the system prompt, the messages and the tools, the last two as OpenAI has them.
LLMCallable = Callable[[str, str, list[dict[str, Any]], "list[dict[str, Any]] | None"], Awaitable["LLMMessage | str"]]


def messages_from(said: Sequence[Json]) -> list[Json]:
    """Returns messages of the engine as those of OpenAI."""
    names = {str(call["id"]): call["name"] for message in said for call in message.get("calls") or ()}
    return [_from(message, names) for message in said]


def _from(message: Json, names: Mapping[str, Any]) -> Json:
    role, text = str(message["role"]), str(message.get("text") or "")
    if role == "tool":
        call = str(message.get("call") or "")
        return {"role": role, "tool_call_id": call, "name": names.get(call, ""), "content": text}
    calls = message.get("calls")
    if not calls:
        return {"role": role, "content": text}
    return {"role": role, "content": text, "tool_calls": [_call_from(call) for call in calls]}


def _call_from(call: Json) -> Json:
    function = {"name": call["name"], "arguments": call.get("arguments") or "{}"}
    return {"id": call["id"], "type": "function", "function": function}


def settled(said: Sequence[Json]) -> list[Json]:
    """Returns messages without calls at the end that have no answer: no model would continue after these."""
    if not said or not said[-1].get("tool_calls"):
        return list(said)
    last = {"role": said[-1]["role"], "content": said[-1]["content"]}
    return [*said[:-1], *([last] if last["content"] else [])]


def messages_to(given: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Returns messages of OpenAI as those of the engine. TypeError or ValueError says which one is none."""
    return [_to(message, i) for i, message in enumerate(given)]


def _to(message: object, index: int) -> Json:
    if not isinstance(message, Mapping):
        raise TypeError(
            f"memory[{index}]: expected a message such as {{'role': 'user', 'content': ...}}, got {message!r}"
        )
    given = cast("Mapping[str, Any]", message)
    role, content = given.get("role"), given.get("content") or ""
    if role not in ("user", "assistant", "tool"):
        raise ValueError(f'memory[{index}]: role: expected "user", "assistant" or "tool", got {role!r}')
    if not isinstance(content, str):
        raise TypeError(f"memory[{index}]: content: expected a str, got {type(content).__name__}")
    made: Json = {"role": role, "text": content}
    if role == "tool":
        made["call"] = str(given.get("tool_call_id") or "")
    if given.get("tool_calls"):
        made["calls"] = [_call_to(call) for call in given["tool_calls"]]
    return made


def _call_to(call: Mapping[str, Any]) -> Json:
    function = call.get("function") or call
    arguments: object = function.get("arguments") or {}
    text = arguments if isinstance(arguments, str) else dump(arguments)
    return {"id": str(call["id"]), "name": str(function["name"]), "arguments": text}


def tools_from(tools: Sequence[Json] | None) -> list[Json] | None:
    """Returns tools of the engine as those of OpenAI, or None if there are none."""
    return [
        {
            "type": "function",
            "function": {"name": t["name"], "description": t.get("doc") or "", "parameters": t["parameters"]},
        }
        for t in tools or ()
    ] or None


def answer_to(answer: object, turn: int) -> Json:
    """Returns an answer for the engine. TypeError if a function gave something else.

    ``turn`` tells calls without an id from those of other turns.
    """
    if isinstance(answer, str):
        answer = LLMMessage(answer)
    if not hasattr(answer, "content"):
        raise TypeError(f"call_llm: expected an LLMMessage or a str, got {type(answer).__name__}")
    message = cast(LLMMessage, answer)
    calls = [
        _call_to({"id": f"call-{turn}-{i}"} | call) for i, call in enumerate(getattr(message, "tool_calls", None) or ())
    ]
    usage: Mapping[str, int] = getattr(message, "usage", None) or {}
    return {
        "text": message.content or "",
        "calls": calls,
        "stop": "calls" if calls else "end",
        "usage": {kind: int(usage.get(kind, 0)) for kind in ("input_tokens", "output_tokens")},
    }


def answer_from(answer: Json) -> LLMMessage:
    """Returns an answer of the engine as functions of users have it."""
    calls = [
        {"id": c["id"], "name": c["name"], "arguments": _read(c.get("arguments"))} for c in answer.get("calls") or ()
    ]
    return LLMMessage(str(answer.get("text") or ""), calls, answer, answer.get("usage") or {})


def _read(arguments: object) -> object:
    """Returns the arguments of a call as an object, or the text if it is none."""
    try:
        return loads(str(arguments or "{}"))
    except ValueError:
        return {"_raw": arguments}
