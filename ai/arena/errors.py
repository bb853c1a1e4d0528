"""What the arena refuses."""

import looot_core as lc


class ArenaError(lc.LoootError):
    """A match, a run folder or a file of results that makes no sense."""
