"""Playouts by rules of thumb: a second opinion on where a turn leads, in some 2 µs a turn.

A turn lands where most is won, with what its fjord and the longships of the ocean lack valued
higher, and with a mind to free spaces, buildings not touched yet and groups; lays each tile where
`ai.plans` rates it best; takes a longship that fills at once, or another while there is time; and
claims a trophy when no higher one is in reach or time runs out. Landings are blurred at random, so
that playouts differ. Players of this kind score some 82 points each, but the mean of such playouts
foretells how greedy games go on better than the table network in the second half of a game.
"""

from libc.stdint cimport uint64_t

from looot_core.rules cimport GameState

cdef void play_out(GameState *state, uint64_t *generator) noexcept nogil
