"""The random generator of the engine, written down so that a seed means the same everywhere.

The words come from SplitMix64. All arithmetic is modulo 2^64, and the state starts as the seed::

    state += 0x9E3779B97F4A7C15
    z = state
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    next word = z ^ (z >> 31)

A number below ``n`` is drawn without bias by Lemire's multiply-shift with rejection: the 128-bit
product of the next word and ``n`` is split into its high and its low 64 bits; the product is drawn
anew while the low half is below ``2^64 mod n``; the high half is the result. (When the low half is
at least ``n`` the remainder, which is smaller than ``n``, need not be worked out.)

A list is shuffled by Fisher-Yates from its end: for ``i`` from the last index down to 1, the items
``i`` and ``below(i + 1)`` change places.
"""

import secrets

cimport cython
from libc.stdint cimport uint64_t

from looot_core.errors import LoootError, shorten


def fresh_seed():
    """Give a seed that nobody can foresee, from the entropy of the operating system."""
    return secrets.randbits(64)


def check_seed(seed, error=LoootError):
    """Give the seed back if it is an integer from 0 to 2^64 - 1, else raise `error`."""
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise error(f"seed: {shorten(seed)} is not an integer from 0 to 2^64 - 1")
    return seed


@cython.final
cdef class Generator:
    """A sequence of 64-bit words from a seed.

    Parameters
    ----------
    seed : int
        From 0 to 2^64 - 1.

    Raises
    ------
    LoootError
        If the seed is no such number.

    Examples
    --------
    >>> Generator(1234567).next_uint64()
    6457827717110365317
    """

    def __init__(self, seed):
        self.state = check_seed(seed)

    def next_uint64(self):
        """Draw the next word, uniform from 0 to 2^64 - 1."""
        return next_word(&self.state)

    def below(self, n):
        """Draw a number, uniform from 0 to ``n - 1``.

        Raises
        ------
        LoootError
            If ``n`` is not an integer from 1 to 2^64 - 1.
        """
        if type(n) is not int or not 1 <= n < 1 << 64:
            raise LoootError(f"n: {shorten(n)} is not an integer from 1 to 2^64 - 1")
        return below(&self.state, <uint64_t>n)

    def shuffle(self, list items not None):
        """Put the items of a list into an order drawn uniformly from all, in place."""
        cdef Py_ssize_t i, j
        for i in range(len(items) - 1, 0, -1):
            j = <Py_ssize_t>below(&self.state, i + 1)
            items[i], items[j] = items[j], items[i]
