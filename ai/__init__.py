"""Agents that play Looot."""
