"""Nodes and turns in chunks; `turn_tree.pxd` documents the structs."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from libc.stdint cimport uint16_t, uint32_t, uint64_t

cdef enum:
    MOST_CHUNKS = 1 << 16        # both kinds are numbered in 32 bits


cdef bint plant(Tree *tree, uint64_t memory) noexcept nogil:
    """Make a tree of a root only that stays within so many bytes, at least one chunk."""
    # A turn has some 12 steps, so a chunk of steps serves about as many nodes as a chunk has.
    cdef uint64_t chunks = memory // (
        CHUNK_NODES * sizeof(Node) + CHUNK_STEPS * sizeof(uint16_t) + 2 * sizeof(void *)
    )
    chunks = min(max(chunks, <uint64_t>1), <uint64_t>MOST_CHUNKS)
    tree.chunk_count = chunks
    tree.chunks = <Node **>calloc(chunks, sizeof(Node *))
    tree.step_chunks = <uint16_t **>calloc(chunks, sizeof(uint16_t *))
    if tree.chunks == NULL or tree.step_chunks == NULL:
        return False
    tree.room = chunks * CHUNK_NODES
    tree.chunks[0] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
    tree.count = 1
    tree.step_count = 0
    return tree.chunks[0] != NULL


cdef void fell(Tree *tree) noexcept nogil:
    """Give the memory back."""
    cdef uint64_t chunk
    for chunk in range(tree.chunk_count):
        if tree.chunks != NULL:
            free(tree.chunks[chunk])
        if tree.step_chunks != NULL:
            free(tree.step_chunks[chunk])
    free(tree.chunks)
    free(tree.step_chunks)
    tree.chunks = NULL
    tree.step_chunks = NULL
    tree.chunk_count = 0


cdef uint32_t add_child(
    Tree *tree, uint32_t parent, const uint16_t *steps, int length
) noexcept nogil:
    """Add a node behind its siblings' first, or give ROOT if there is no room."""
    cdef uint32_t index = <uint32_t>tree.count
    cdef uint64_t chunk = tree.count >> CHUNK_SHIFT, at_step = tree.step_count
    cdef Node *child
    if tree.count == tree.room:
        return ROOT
    if (at_step & (CHUNK_STEPS - 1)) + length > CHUNK_STEPS:  # a turn lies in one chunk
        at_step = (at_step | (CHUNK_STEPS - 1)) + 1
    if at_step >> 16 >= tree.chunk_count:
        return ROOT
    if tree.step_chunks[at_step >> 16] == NULL:
        tree.step_chunks[at_step >> 16] = <uint16_t *>calloc(CHUNK_STEPS, sizeof(uint16_t))
    if tree.chunks[chunk] == NULL:
        tree.chunks[chunk] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
    if tree.step_chunks[at_step >> 16] == NULL or tree.chunks[chunk] == NULL:
        tree.room = tree.count
        return ROOT
    child = at(tree, index)
    child.steps = <uint32_t>at_step
    child.length = <uint16_t>length
    memcpy(
        &tree.step_chunks[at_step >> 16][at_step & (CHUNK_STEPS - 1)], steps,
        length * sizeof(uint16_t),
    )
    tree.step_count = at_step + length
    child.next_sibling = at(tree, parent).first_child
    at(tree, parent).first_child = index
    tree.count += 1
    return index
