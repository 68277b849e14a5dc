"""Scripted servers, good and hostile ones, for a client under test."""
