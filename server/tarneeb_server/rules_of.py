"""The rules that somebody asks for: a preset, and options in place of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tarneeb_engine.variants import PRESETS
from tarneeb_protocol.errors import ErrorCode
from tarneeb_server.refusing import NotGranted

if TYPE_CHECKING:
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_protocol.messages import RuleChoices


def rules_of(name: str, choices: RuleChoices) -> Ruleset:
    """The preset with the choices in place of its own options. ``NotGranted`` with ``bad_rules``."""
    preset = PRESETS.get(name)
    if preset is None:
        raise NotGranted(
            ErrorCode.BAD_RULES, f"the presets are {', '.join(PRESETS)}; there is no such other", "preset"
        )
    chosen = {option: getattr(choices, option) for option in choices.__struct_fields__}
    try:
        return replace(preset, **{option: choice for option, choice in chosen.items() if choice is not None})
    except ValueError as error:
        raise NotGranted(ErrorCode.BAD_RULES, str(error), "rules") from None
