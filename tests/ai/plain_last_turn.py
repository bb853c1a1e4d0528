"""The last turn of a game a second time: every sequence of legal actions, in plain Python."""

import looot_core as lc

Result = tuple[int, int]
"""Score and trophy of the mover: all that decides (R20, R21)."""


def result_of(state: lc.State, player: int) -> Result:
    return state.scores()[player], state.position().seats[player].trophy


def best_result(state: lc.State, most: int) -> Result | None:
    """Try every way to play the turn; None if more than so many states would have to be looked at.

    The state is changed on the way and undone. States met before are not looked at again.
    """
    player = state.current_player
    seen: set[int] = set()
    best: Result | None = None

    def look() -> bool:
        nonlocal best
        if state.is_over:
            found = result_of(state, player)
            best = found if best is None else max(best, found)
            return True
        if state.hash() in seen:
            return True
        seen.add(state.hash())
        if len(seen) > most:
            return False
        for action in state.legal_actions():
            state.apply(action)
            complete = look()
            state.undo()
            if not complete:
                return False
        return True

    return best if look() else None
