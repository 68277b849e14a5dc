"""All English sentences of the client, in one place for a later translation."""
