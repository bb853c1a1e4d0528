"""A search tree of whole turns in memory that grows by chunks up to a limit; nodes never move.

A subtree is discarded at once: it joins a stack of dead nodes, which are taken apart as new nodes
need their places. A turn's steps lie in blocks of a few sizes, which are used again by size.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ai.workspace cimport Workspace
from looot_core.tables cimport MAX_PLAYERS

cdef enum:
    ROOT = 0                 # also "no child": the root is nobody's child
    CHUNK_SHIFT = 12
    CHUNK_NODES = 4096
    CHUNK_STEPS = 65536
    BLOCK_STEPS = 4          # the steps of a turn take some blocks of so many
    MOST_BLOCKS = 12

cdef struct Node:
    double payoffs[MAX_PLAYERS]  # sum for each seat
    double scores[MAX_PLAYERS]   # sum of the expected final scores
    double share                 # sum of the root mover's shares of the victory
    double lead                  # sum of the root mover's score leads
    double lead_squares
    float forecast               # what the mover expected when the turn was found: see Turn
    float weight                 # prior before it is divided by the sum over its siblings
    uint32_t visits
    uint32_t pending             # simulations on their way through the node
    uint32_t available           # visits of the parent at which the turn was legal
    uint32_t first_child
    uint32_t next_sibling
    uint32_t known               # longships that turns were looked for with, or passed over
    uint32_t steps               # where the turn from the parent begins
    uint16_t length              # of that turn
    uint8_t level                # how widely turns have been looked for, 0: not yet

cdef struct Tree:
    Node **chunks
    uint16_t **step_chunks
    uint64_t chunk_count         # most chunks of either kind
    uint64_t room                # most nodes
    uint64_t count               # nodes of the tree
    uint64_t used                # nodes whose place was ever taken
    uint64_t used_steps
    uint32_t dead                # the first of a stack of chains of siblings, linked by `available`
    uint32_t spare               # dead nodes without children and steps, linked as siblings
    uint32_t free_steps[MOST_BLOCKS + 1]  # by blocks: 1 + where the first free ones lie, 0: none

cdef inline Node *at(const Tree *tree, uint32_t index) noexcept nogil:
    return &tree.chunks[index >> CHUNK_SHIFT][index & (CHUNK_NODES - 1)]

cdef inline uint16_t *steps_at(const Tree *tree, uint32_t place) noexcept nogil:
    return &tree.step_chunks[place >> 16][place & (CHUNK_STEPS - 1)]

cdef inline const uint16_t *steps_of(const Tree *tree, const Node *node) noexcept nogil:
    return steps_at(tree, node.steps)

cdef inline uint64_t bytes_of(const Tree *tree) noexcept nogil:
    """The chunks that are in use."""
    return (tree.used + CHUNK_NODES - 1) // CHUNK_NODES * CHUNK_NODES * sizeof(Node) + (
        (tree.used_steps + CHUNK_STEPS - 1) // CHUNK_STEPS * CHUNK_STEPS * sizeof(uint16_t)
    )

cdef bint plant(Tree *tree, uint64_t memory) noexcept nogil
cdef void fell(Tree *tree) noexcept nogil
cdef uint32_t add_child(
    Tree *tree, uint32_t parent, const uint16_t *steps, int length
) noexcept nogil
cdef bint prune(Tree *tree, const Workspace *workspace) noexcept nogil
cdef void take_root(Tree *tree, uint32_t index) noexcept nogil
cdef int depth_below(const Tree *tree, uint32_t index) noexcept nogil
