"""Learning the evaluation from self-play.

`plan` says what is played and fitted, `run` does it, and `calibration` tells how far the forecasts
hold.
"""
