"""Tournaments: formats that say who meets whom, and how the teams stand. Standard library only."""
