"""The rules of Tarneeb as pure values: no clock, no I/O, no global randomness.

The numbered rules cited throughout are those of ``docs/rules.md``.
"""
