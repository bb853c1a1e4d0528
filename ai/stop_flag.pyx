"""A flag that ends a search from another thread."""

cimport cython


@cython.final
cdef class StopFlag:
    """Ends the searches that were given it, within a millisecond, from any thread.

    An abort outweighs a stop. A flag stays set: take a new one for the next search.
    """

    def stop(self):
        """Let the search answer with the best so far."""
        if self.state == RUNNING:
            self.state = STOPPED

    def abort(self):
        """Let the search end with `SearchAborted`."""
        self.state = ABORTED

    @property
    def stopped(self):
        """Whether the search is to end, with an answer or without."""
        return self.state != RUNNING

    @property
    def aborted(self):
        """Whether the search is to end without an answer."""
        return self.state == ABORTED
