"""What the lines of one kind begin with, and no line of another kind."""

from typing import Final

CHAT: Final = "<"
"""What somebody said: a name and a text can be anything, the first character cannot."""
CHAT_GOES_ON: Final = "| "
"""The further rows of a chat line that is too long for one."""
NOTICE: Final = "#"
"""What the host says."""
OTHERS: Final = "!*"
"""Troubles, and what the coach says."""
