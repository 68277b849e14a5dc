"""The checks of a server, by subject."""
