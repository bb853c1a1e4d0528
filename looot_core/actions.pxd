from looot_core.tables cimport Layout


cdef class Action:
    cdef readonly int index
    cdef readonly Layout layout
