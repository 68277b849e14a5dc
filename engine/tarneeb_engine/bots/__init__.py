"""Bots: policies that choose an action from a seat's view, as any client must."""
