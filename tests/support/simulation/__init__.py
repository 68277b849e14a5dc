"""A whole evening in one process and one number: server, clients and network on a clock that jumps.

``world.run_world`` plays it. The server is the real ``App`` on a real store; the network between its channels
and the clients is made up, and so are its faults. Everything is drawn from the seed, the order in which tasks
run too.
"""
