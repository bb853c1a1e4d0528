cimport cython
from libc.stdint cimport uint64_t

from looot_core.rules cimport GameState, Undo
from looot_core.tables cimport Layout

cdef struct Step:
    Undo undo
    uint64_t generator


@cython.final
cdef class State:
    cdef GameState game
    cdef Layout layout
    cdef tuple site_tiles
    cdef tuple bag             # numbers of the longships in draw order, or None
    cdef uint64_t generator    # draws where there is no bag
    cdef Step *history
    cdef Py_ssize_t history_length
    cdef Py_ssize_t history_room
    cdef State bare_copy(self)
    cdef int drawn_by(self, draw) except -2
    cdef int next_draw(self) except -2
    cdef int index_of(self, action) except -1
    cdef int remember_room(self) except -1
