cimport cython

from looot_core.tables cimport Layout


@cython.final
cdef class Action:
    cdef readonly int index
    cdef Layout layout
