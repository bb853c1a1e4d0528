"""Learning the evaluation from self-play."""
