"""Hosted games: kept in a database, played by tokens and by bots, watched by whoever likes."""

from server.games.database import DatabaseError
from server.games.service import HostedGames
from server.games.sources import Sources

__all__ = ["DatabaseError", "HostedGames", "Sources"]
