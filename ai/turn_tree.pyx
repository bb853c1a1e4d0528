"""Nodes and turns in chunks; `turn_tree.pxd` documents the structs."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ai.workspace cimport Workspace, interrupted

cdef enum:
    MOST_CHUNKS = 1 << 16        # both kinds are numbered in 32 bits
    CLASSES = 896                # of visits; see `class_of`
    PRUNED_PART = 4              # at least a quarter of the nodes is discarded at a time


cdef bint plant(Tree *tree, uint64_t memory) noexcept nogil:
    """Make a tree of a root only that stays within so many bytes, at least one chunk."""
    # A turn has some 12 steps, so a chunk of steps serves about as many nodes as a chunk has.
    cdef uint64_t chunks = memory // (
        CHUNK_NODES * sizeof(Node) + CHUNK_STEPS * sizeof(uint16_t) + 2 * sizeof(void *)
    )
    chunks = min(max(chunks, <uint64_t>1), <uint64_t>MOST_CHUNKS)
    memset(tree, 0, sizeof(Tree))
    tree.chunk_count = chunks
    tree.chunks = <Node **>calloc(chunks, sizeof(Node *))
    tree.step_chunks = <uint16_t **>calloc(chunks, sizeof(uint16_t *))
    if tree.chunks == NULL or tree.step_chunks == NULL:
        return False
    tree.room = chunks * CHUNK_NODES
    tree.chunks[0] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
    tree.count = 1
    tree.used = 1
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


# Places of nodes and steps

cdef inline int blocks_of(int length) noexcept nogil:
    return (length + BLOCK_STEPS - 1) // BLOCK_STEPS


cdef bint take_apart(Tree *tree) noexcept nogil:
    """Make a dead node spare, one without children; False if there is none."""
    cdef uint32_t index, child
    cdef uint32_t *free_steps
    cdef Node *node
    if tree.dead == ROOT:
        return False
    index = tree.dead
    node = at(tree, index)
    while node.first_child != ROOT:  # its children become the top of the stack
        child = node.first_child
        node.first_child = ROOT
        at(tree, child).available = index
        index = child
        node = at(tree, index)
    if node.next_sibling != ROOT:
        at(tree, node.next_sibling).available = node.available
        tree.dead = node.next_sibling
    else:
        tree.dead = node.available
    if node.length:
        free_steps = &tree.free_steps[blocks_of(node.length)]
        memcpy(steps_at(tree, node.steps), free_steps, sizeof(uint32_t))
        free_steps[0] = node.steps + 1
    node.next_sibling = tree.spare
    tree.spare = index
    return True


cdef bint take_steps(Tree *tree, int length, uint32_t *place) noexcept nogil:
    """Find a place for the steps of a turn."""
    cdef int blocks = blocks_of(length)
    cdef uint64_t begin = tree.used_steps
    if tree.free_steps[blocks]:
        place[0] = tree.free_steps[blocks] - 1
        memcpy(&tree.free_steps[blocks], steps_at(tree, place[0]), sizeof(uint32_t))
        return True
    if (begin & (CHUNK_STEPS - 1)) + blocks * BLOCK_STEPS > CHUNK_STEPS:  # all lie in one chunk
        begin = (begin | (CHUNK_STEPS - 1)) + 1
    if begin >> 16 >= tree.chunk_count:
        return False
    if tree.step_chunks[begin >> 16] == NULL:
        tree.step_chunks[begin >> 16] = <uint16_t *>calloc(CHUNK_STEPS, sizeof(uint16_t))
        if tree.step_chunks[begin >> 16] == NULL:
            return False
    place[0] = <uint32_t>begin
    tree.used_steps = begin + blocks * BLOCK_STEPS
    return True


cdef uint32_t take_node(Tree *tree) noexcept nogil:
    """Find a place for a node, or give ROOT; what lies there is of no use."""
    cdef uint32_t index = tree.spare
    cdef uint64_t chunk = tree.used >> CHUNK_SHIFT
    if index != ROOT:
        tree.spare = at(tree, index).next_sibling
        return index
    if tree.used == tree.room:
        return ROOT
    if tree.chunks[chunk] == NULL:
        tree.chunks[chunk] = <Node *>calloc(CHUNK_NODES, sizeof(Node))
        if tree.chunks[chunk] == NULL:
            tree.room = tree.used
            return ROOT
    tree.used += 1
    return <uint32_t>(tree.used - 1)


cdef uint32_t add_child(
    Tree *tree, uint32_t parent, const uint16_t *steps, int length
) noexcept nogil:
    """Add a node before its siblings, or give ROOT if there is no room."""
    cdef uint32_t index, place
    cdef Node *child
    if tree.spare == ROOT:
        take_apart(tree)
    while not take_steps(tree, length, &place):
        if not take_apart(tree):
            return ROOT
    index = take_node(tree)
    if index == ROOT:  # there is a place again with the next dead nodes
        memcpy(steps_at(tree, place), &tree.free_steps[blocks_of(length)], sizeof(uint32_t))
        tree.free_steps[blocks_of(length)] = place + 1
        return ROOT
    child = at(tree, index)
    memset(child, 0, sizeof(Node))
    child.steps = place
    child.length = <uint16_t>length
    memcpy(steps_at(tree, place), steps, length * sizeof(uint16_t))
    child.next_sibling = at(tree, parent).first_child
    at(tree, parent).first_child = index
    tree.count += 1
    return index


# Subtrees

cdef uint64_t count_below(const Tree *tree, uint32_t index) noexcept nogil:
    cdef uint64_t count = 0
    cdef uint32_t child = at(tree, index).first_child
    while child != ROOT:
        count += 1
        if at(tree, child).first_child != ROOT:
            count += count_below(tree, child)
        child = at(tree, child).next_sibling
    return count


cdef int depth_below(const Tree *tree, uint32_t index) noexcept nogil:
    """The turns of the longest line below a node that was visited."""
    cdef int depth = 0
    cdef uint32_t child = at(tree, index).first_child
    while child != ROOT:
        if at(tree, child).visits:
            depth = max(depth, 1 + depth_below(tree, child))
        child = at(tree, child).next_sibling
    return depth


cdef void discard_below(Tree *tree, uint32_t index) noexcept nogil:
    """Discard the children of a node, which is then as if turns had not been looked for."""
    cdef Node *node = at(tree, index)
    if node.first_child != ROOT:
        at(tree, node.first_child).available = tree.dead
        tree.dead = node.first_child
        node.first_child = ROOT
    node.level = 0
    node.known = 0


cdef void take_root(Tree *tree, uint32_t index) noexcept nogil:
    """Let a node be the root, and discard all but what lies below it."""
    cdef Node node = at(tree, index)[0]
    at(tree, index).first_child = ROOT
    discard_below(tree, ROOT)
    node.next_sibling = ROOT
    node.length = 0
    at(tree, ROOT)[0] = node
    tree.count = 1 + count_below(tree, ROOT)


cdef int class_of(uint32_t visits) noexcept nogil:
    """Order numbers of visits: each below 64, then 32 of every power of two."""
    cdef int shift = 0
    while visits >> shift >= 64:
        shift += 1
    return 32 * shift + <int>(visits >> shift)


cdef bint weigh(
    const Tree *tree, uint32_t index, uint64_t *weights, const Workspace *workspace
) noexcept nogil:
    """Count the nodes by how often their parents were visited; False if the search is to end."""
    cdef const Node *node = at(tree, index)
    cdef const Node *below
    cdef uint32_t child = node.first_child
    cdef uint64_t count = 0
    if interrupted(workspace):
        return False
    while child != ROOT:
        below = at(tree, child)
        if below.first_child != ROOT and not weigh(tree, child, weights, workspace):
            return False
        count += 1
        child = below.next_sibling
    if index != ROOT and not node.pending:
        weights[class_of(node.visits)] += count
    return True


cdef void cut(Tree *tree, uint32_t index, int least) noexcept nogil:
    """Discard what lies below nodes of less than the least class, but for those on a path."""
    cdef uint32_t child = at(tree, index).first_child
    cdef Node *node
    while child != ROOT:
        node = at(tree, child)
        if node.first_child != ROOT:
            if class_of(node.visits) < least and not node.pending:
                tree.count -= count_below(tree, child)
                discard_below(tree, child)
            else:
                cut(tree, child, least)
        child = node.next_sibling


cdef bint prune(Tree *tree, const Workspace *workspace) noexcept nogil:
    """Make room in a full tree; False if there is none to make, or no time.

    The children of the nodes with the fewest visits are discarded: below so many visits that at
    least a quarter of all nodes goes. Those nodes keep what they have learnt, and look for turns
    again when they are visited. Nodes on the path of a simulation keep their children.
    """
    cdef uint64_t weights[CLASSES]
    cdef uint64_t least = max(tree.count // PRUNED_PART, <uint64_t>1), sum = 0
    cdef int n = 0
    memset(weights, 0, sizeof(weights))
    if not weigh(tree, ROOT, weights, workspace):
        return False
    while n < CLASSES and sum < least:
        sum += weights[n]
        n += 1
    if sum == 0:
        return False
    cut(tree, ROOT, n)
    return True
