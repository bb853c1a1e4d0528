"""Ways to play at random: uniformly, and so that rare things happen."""

from collections.abc import Callable
from random import Random

from tests.reference.game import ReferenceGame, parse_hex
from tests.reference.landscape import Landscape

Policy = Callable[[Random, ReferenceGame, list[str]], str]


def starting_with(legal: list[str], verb: str) -> list[str]:
    return [action for action in legal if action.startswith(verb)]


def uniform(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    return random.choice(legal)


def by_verb(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    """Choose what to do first, then how: as many turns end without a longship as with one."""
    verbs = sorted({action.split(" ")[0] for action in legal})
    return random.choice(starting_with(legal, random.choice(verbs)))


def shields_early(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    """Use every shield as soon as it can be, on one's own vikings where vikings are asked for."""
    own = [
        action
        for action in starting_with(legal, "viking")
        if game.vikings.get(parse_hex(action.split(" ")[1]), [0] * 4)[game.current_player]
    ]
    return random.choice(starting_with(legal, "shield") or own or legal)


def without_longships(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    """Claim trophies, and leave the longships where they are."""
    return random.choice(starting_with(legal, "trophy") or starting_with(legal, "end") or legal)


def fjord_full_first(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    """Win buildings in long chains, take every longship, and keep the shields to the last."""
    if starting_with(legal, "shield") and game.hands[game.current_player] > 2:
        legal = starting_with(legal, "viking")
        own = [
            action
            for action in legal
            if any(
                game.vikings.get(place, [0] * 4)[game.current_player]
                for place in game.landscape.neighbours[parse_hex(action.split(" ")[1])]
            )
        ]
        return random.choice(own or legal)
    return random.choice(starting_with(legal, "shield") or starting_with(legal, "long") or legal)


def inland(landscape: Landscape, legal: list[str]) -> list[str]:
    """Give the landings that cover and touch the fewest spaces beside the ocean."""
    shore = landscape.shore()
    covered = {
        action: len(shore & {space, *landscape.neighbours[space]})
        for action in starting_with(legal, "viking")
        for space in [parse_hex(action.split(" ")[1])]
    }
    return [action for action, number in covered.items() if number == min(covered.values())]


def away_from_the_ocean(random: Random, game: ReferenceGame, legal: list[str]) -> str:
    """Empty the bag and the ocean while its shore is free: then nobody can land there (R13)."""
    choices = starting_with(legal, "longship") or inland(game.landscape, legal) or legal
    return random.choice(choices)


RARE: list[Policy] = [
    by_verb,
    shields_early,
    without_longships,
    fjord_full_first,
    away_from_the_ocean,
]
