"""Nodes in chunks; `tree.pxd` documents the structs."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    MOST_NODES = 0xFFFFFFFF


cdef bint plant(Tree *tree, uint64_t memory) noexcept nogil:
    """Make a tree of a root only that stays within so many bytes, at least one chunk."""
    cdef uint64_t chunks = memory // (CHUNK_NODES * sizeof(Node) + sizeof(Node *))
    chunks = min(max(chunks, <uint64_t>1), <uint64_t>MOST_NODES >> CHUNK_SHIFT)
    tree.chunks = <Node **>calloc(chunks, sizeof(Node *))
    if tree.chunks == NULL:
        return False
    tree.room = chunks * CHUNK_NODES
    tree.chunks[0] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
    tree.count = 1
    return tree.chunks[0] != NULL


cdef void fell(Tree *tree) noexcept nogil:
    """Give the memory back."""
    cdef uint64_t chunk
    if tree.chunks != NULL:
        for chunk in range(tree.room >> CHUNK_SHIFT):
            free(tree.chunks[chunk])
        free(tree.chunks)
        tree.chunks = NULL


cdef uint32_t add_child(Tree *tree, uint32_t parent, int key) noexcept nogil:
    """Add a node, or give ROOT if there is no room."""
    cdef uint32_t index = <uint32_t>tree.count
    cdef uint64_t chunk = tree.count >> CHUNK_SHIFT
    cdef Node *child
    if tree.count == tree.room:
        return ROOT
    if tree.chunks[chunk] == NULL:
        tree.chunks[chunk] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
        if tree.chunks[chunk] == NULL:
            tree.room = tree.count
            return ROOT
    child = at(tree, index)
    child.key = <uint16_t>key
    child.next_sibling = at(tree, parent).first_child
    at(tree, parent).first_child = index
    tree.count += 1
    return index
