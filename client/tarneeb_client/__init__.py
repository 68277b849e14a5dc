"""The Tarneeb client: link, state, screens and the ``tarneeb`` command."""

__version__ = "0.1.0"
