"""Bytes to messages and back, for both ends, without I/O. The specification is ``docs/protocol.md``."""
