"""Playouts by rules of thumb: a second opinion on where a turn leads, in some 2 µs a turn.

A turn lands where most is won, with what its fjord lacks valued higher; lays each tile where
`ai.plans` rates it best; takes a longship that fills at once, or another while there is time; and
claims a trophy when no higher one is in reach or time runs out. Landings are blurred at random, so
that playouts differ. Players of this kind score some 84 points each.
"""

from libc.stdint cimport uint64_t

from looot_core.rules cimport GameState

cdef void play_out(GameState *state, uint64_t *generator) noexcept nogil
