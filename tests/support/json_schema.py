"""``protocol/schema.json``: the decoded messages as JSON Schema, from the message types themselves."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from support.messages import ALL_MESSAGES, tag
from tarneeb_engine.ruleset import TARGETS
from tarneeb_protocol.errors import CODES
from tarneeb_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES, Message


def schema() -> dict[str, Any]:
    """The whole schema. A decoded payload is valid if it is a message of either direction."""
    references, definitions = msgspec.json.schema_components(ALL_MESSAGES, ref_template="#/$defs/{name}")
    by_message = dict(zip(ALL_MESSAGES, references, strict=True))
    for definition in definitions.values():
        _finish(definition)
    definitions["Ruleset"]["properties"]["target"]["anyOf"][0]["enum"] = list(TARGETS)
    definitions["CallAction"].update(
        {
            "if": {"properties": {"call": {"const": "bid"}}},
            "then": {"properties": {"tricks": {"type": "integer"}}, "required": ["tricks"]},
            "else": {"properties": {"tricks": {"type": "null"}}},
        }
    )
    definitions["FromClient"] = _any_of("A message of a client.", CLIENT_MESSAGES, by_message)
    definitions["FromServer"] = _any_of("A message of a server.", SERVER_MESSAGES, by_message)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The Tarneeb protocol, version 1",
        "description": (
            "The decoded messages, as docs/protocol.md describes them. Fields and messages that are not here"
            " are passed over."
        ),
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "x-from-client": [tag(kind) for kind in CLIENT_MESSAGES],
        "x-from-server": [tag(kind) for kind in SERVER_MESSAGES],
        "x-codes": {
            code.value: {"retry": row.retry.value, "in": [carrier.value for carrier in row.carriers]}
            for code, row in CODES.items()
        },
        "$defs": dict(sorted(definitions.items())),
    }


def schema_text() -> str:
    """The file's text."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _any_of(
    title: str, kinds: tuple[type[Message], ...], references: dict[type[Message], dict[str, Any]]
) -> dict[str, Any]:
    return {"description": title, "oneOf": [references[kind] for kind in kinds]}


def _finish(definition: dict[str, Any]) -> None:
    """Say that a field that may be left out may be nil, and what the docstrings say in one paragraph."""
    if "description" in definition:
        definition["description"] = " ".join(definition["description"].split())
    for name, field in definition.get("properties", {}).items():
        if name not in definition.get("required", ()) and not _takes_nil(field):
            default = {"default": field.pop("default")} if "default" in field else {}
            definition["properties"][name] = {"anyOf": [field, {"type": "null"}], **default}


def _takes_nil(field: dict[str, Any]) -> bool:
    return field.get("type") == "null" or any(_takes_nil(option) for option in field.get("anyOf", ()))
