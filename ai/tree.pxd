"""A search tree in memory that grows by chunks up to a limit; nodes never move."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    ROOT = 0             # also "no child": the root is nobody's child
    CHUNK_SHIFT = 12
    CHUNK_NODES = 4096

cdef struct Node:
    double payoffs[MAX_PLAYERS]  # sum for each seat
    double wins                  # sum of the root mover's shares of the victory
    double leads                 # sum of the root mover's score leads
    uint64_t visits
    uint64_t available           # visits of the parent at which the action was legal
    uint32_t first_child
    uint32_t next_sibling
    uint16_t key                 # the step from the parent

cdef struct Tree:
    Node **chunks
    uint64_t room                # most nodes that may be
    uint64_t count

cdef inline Node *at(const Tree *tree, uint32_t index) noexcept nogil:
    return &tree.chunks[index >> CHUNK_SHIFT][index & (CHUNK_NODES - 1)]

cdef inline uint64_t bytes_of(const Tree *tree) noexcept nogil:
    """The chunks that are in use."""
    return (tree.count + CHUNK_NODES - 1) // CHUNK_NODES * CHUNK_NODES * sizeof(Node)

cdef bint plant(Tree *tree, uint64_t memory) noexcept nogil
cdef void fell(Tree *tree) noexcept nogil
cdef uint32_t add_child(Tree *tree, uint32_t parent, int key) noexcept nogil
