"""What training refuses."""

import looot_core as lc


class TrainingError(lc.LoootError):
    """A plan, a folder or a set of examples that makes no sense."""
