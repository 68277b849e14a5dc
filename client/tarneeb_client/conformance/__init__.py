"""The conformance kit: plays against any server, or with any client, and reports requirement by requirement.

It stands on sockets and msgpack alone, not on this project's own protocol package, so that it does not
share the faults of what it checks.
"""
