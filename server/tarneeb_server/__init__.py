"""The Tarneeb server: trio sockets, sessions, lobby, tables, clocks, store."""
