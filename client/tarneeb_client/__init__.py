"""The Tarneeb client: link, state, screens and the ``tarneeb`` command."""
