cdef enum:
    RUNNING
    STOPPED
    ABORTED


cdef class StopFlag:
    # One aligned int, written by one thread and read by another without the GIL.
    cdef volatile int state
