"""The seat network's arithmetic, and forecasts; `evaluation.pxd` documents the structs."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cimport cython
import hashlib
import io

import numpy as np

from ai import table_network

from ai.features cimport FJORD_FEATURES, MAP_FEATURES, fjord_features, map_features
from ai.table_network cimport TABLE_SECOND_LAYER, TableWeights, table_gains
from looot_core.bits cimport population
from looot_core.rules cimport OVER, GameState, winners
from looot_core.state cimport State
from looot_core.tables cimport MAX_PLAYERS

SHAPES = {
    "first": (FEATURES, FIRST_LAYER), "first_bias": (FIRST_LAYER,),
    "second": (FIRST_LAYER, SECOND_LAYER), "second_bias": (SECOND_LAYER,),
    "third": (SECOND_LAYER,), "linear": (FEATURES,), "bias": (),
    **table_network.SHAPES,
    "spread": (MOST_VIKINGS + 1,), "scale": (MOST_VIKINGS + 1,),
}


cdef extern from "ai/network.h" nogil:
    void add_rows "looot_seat_add_rows"(
        float *sums, float *line, const float (*rows)[FIRST_LAYER], const float *linear,
        const float *features, const float *before, int count,
    )
    float upper_layers "looot_seat_upper_layers"(
        const float *a, const float *b, const float (*second)[SECOND_LAYER], const float *bias,
        const float *third,
    )


cdef double exponential(double x) noexcept nogil:
    """e to the x for x up to 0, to 12 digits: (e to the x/1024)^1024, the same on every machine."""
    cdef double y
    cdef int _step
    if x < -40.0:
        return 0.0
    y = x / 1024.0
    y = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y / 120.0))))
    for _step in range(10):
        y = y * y
    return y


cdef void fjord_part(
    const Weights *weights, const GameState *state, int player, Part *part
) noexcept nogil:
    """What a seat's fjord adds to the first layer, with the biases."""
    fjord_features(state, player, part.features)
    memcpy(part.hidden, weights.first_bias, sizeof(part.hidden))
    part.linear = weights.bias
    add_rows(
        part.hidden, &part.linear, weights.first, weights.linear, part.features, NULL,
        FJORD_FEATURES,
    )


cdef void fjord_part_after(
    const Weights *weights, const GameState *state, int player, const Part *before, Part *part
) noexcept nogil:
    """The same from the part of a state before, by what has changed: close to it, and faster."""
    fjord_features(state, player, part.features)
    memcpy(part.hidden, before.hidden, sizeof(part.hidden))
    part.linear = before.linear
    add_rows(
        part.hidden, &part.linear, weights.first, weights.linear, part.features, before.features,
        FJORD_FEATURES,
    )


cdef void map_part(
    const Weights *weights, const GameState *state, int player, Part *part
) noexcept nogil:
    """What the landscape adds to the first layer for a seat."""
    map_features(state, player, part.features)
    memset(part.hidden, 0, sizeof(part.hidden))
    part.linear = 0
    add_rows(
        part.hidden, &part.linear, weights.first + FJORD_FEATURES,
        weights.linear + FJORD_FEATURES, part.features, NULL, MAP_FEATURES,
    )


cdef float gain_of(const Weights *weights, const Part *fjord, const Part *map) noexcept nogil:
    """Points that a seat is expected to add to its present score until the end."""
    return 10 * (
        fjord.linear + map.linear
        + upper_layers(
            fjord.hidden, map.hidden, weights.second, weights.second_bias, weights.third
        )
    )


cdef double score_of(const Weights *weights, const GameState *state, int player) noexcept nogil:
    """Expected final score of a seat, by the seat network."""
    cdef Part fjord, map
    if state.phase == OVER:
        return state.seats[player].score
    fjord_part(weights, state, player, &fjord)
    map_part(weights, state, player, &map)
    return state.seats[player].score + gain_of(weights, &fjord, &map)


cdef void shares_of(
    const Weights *weights, const GameState *state, const double *scores, double *shares
) noexcept nogil:
    """Shares of the victory to be expected from expected final scores (a softmax).

    Its scale is that of the seat with most vikings in hand.
    """
    cdef int player, left = 0
    cdef double best = scores[0], total = 0.0, scale
    for player in range(state.players):
        best = max(best, scores[player])
        left = max(left, state.seats[player].in_hand)
    scale = weights.scale[left]
    for player in range(state.players):
        shares[player] = exponential((scores[player] - best) / scale)
        total += shares[player]
    for player in range(state.players):
        shares[player] /= total


cdef void evaluate(
    const Weights *weights, const GameState *state, Forecast *forecast
) noexcept nogil:
    """Forecast the end from a state at the start of a turn; exact once the game is over."""
    cdef float gains[MAX_PLAYERS]
    cdef int player, best, count
    if state.phase == OVER:
        best = winners(state)
        count = population(best)
        for player in range(state.players):
            forecast.scores[player] = state.seats[player].score
            forecast.shares[player] = <double>(best >> player & 1) / count
    else:
        table_gains(weights.table, state, gains)
        for player in range(state.players):
            forecast.scores[player] = state.seats[player].score + gains[player]
        shares_of(weights, state, forecast.scores, forecast.shares)


cdef object read_array(arrays, str name, tuple shape):
    """Give one array of weights, checked."""
    if name not in arrays:
        raise ValueError(f"weights: {name} is missing")
    try:
        with np.errstate(over="ignore"):
            array = np.asarray(arrays[name], dtype="<f4")
    except (TypeError, ValueError) as error:
        raise ValueError(f"weights: {name} is no array of numbers: {error}") from error
    if array.shape != shape:
        raise ValueError(f"weights: {name} has the shape {array.shape}, not {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"weights: {name} has a value that is not finite")
    if name == "scale" and not (array > 0).all():
        raise ValueError("weights: scale has a value that is not above 0")
    return array


@cython.final
cdef class Evaluation:
    """Weights of the evaluation.

    Parameters
    ----------
    arrays : mapping of str to numpy.ndarray
        float32, of the names and shapes in `SHAPES`.

    Raises
    ------
    ValueError
        If an array is missing, of another shape, or not finite, or a scale is not above 0.
    """

    def __cinit__(self):
        self.weights.table = <TableWeights *>malloc(sizeof(TableWeights))
        if self.weights.table == NULL:
            raise MemoryError
        memset(self.weights.table, 0, sizeof(TableWeights))

    def __dealloc__(self):
        free(self.weights.table)

    def __init__(self, arrays):
        cdef TableWeights *table = self.weights.table
        cdef float[::1] values
        cdef float *target
        cdef Py_ssize_t i
        digest = hashlib.sha256()
        targets = {
            "first": <size_t>&self.weights.first, "first_bias": <size_t>&self.weights.first_bias,
            "second": <size_t>&self.weights.second,
            "second_bias": <size_t>&self.weights.second_bias,
            "third": <size_t>&self.weights.third, "linear": <size_t>&self.weights.linear,
            "bias": <size_t>&self.weights.bias, "spread": <size_t>&self.weights.spread,
            "scale": <size_t>&self.weights.scale,
            "table_first": <size_t>&table.first, "table_first_bias": <size_t>&table.first_bias,
            "table_second": <size_t>&table.second,
            "table_second_bias": <size_t>&table.second_bias,
            "table_third": <size_t>&table.third, "table_linear": <size_t>&table.linear,
            "table_bias": <size_t>&table.bias,
        }
        for name, shape in SHAPES.items():
            array = read_array(arrays, name, shape)
            digest.update(array.tobytes())
            values = np.ascontiguousarray(array.reshape(-1), dtype=np.float32).copy()
            target = <float *><size_t>targets[name]
            for i in range(values.shape[0]):
                target[i] = values[i]
        self.hash = digest.hexdigest()[:16]

    @staticmethod
    def load(path):
        """Read weights from an .npz file.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it is no such file, or its weights will not do.
        """
        content = io.BytesIO(path.read_bytes())
        try:
            with np.load(content, allow_pickle=False) as arrays:
                weights = dict(arrays)
        except Exception as error:  # a damaged file fails in many ways
            raise ValueError(f"weights: {path} is no .npz file: {error}") from error
        return Evaluation(weights)

    def shortsighted(self, double foresight):
        """Give an evaluation that expects only a share of the points still to come.

        Parameters
        ----------
        foresight : float
            From 0, the present score alone, to 1.

        Returns
        -------
        Evaluation
        """
        cdef Evaluation other = Evaluation.__new__(Evaluation)
        cdef int i
        if not 0 <= foresight <= 1:
            raise ValueError(f"foresight: {foresight} is not from 0 to 1")
        cdef TableWeights *table = other.weights.table
        table[0] = self.weights.table[0]
        other.weights = self.weights
        other.weights.table = table
        for i in range(TABLE_SECOND_LAYER):
            table.third[i] *= <float>foresight
        for i in range(2 * FEATURES):
            table.linear[i] *= <float>foresight
        table.bias *= <float>foresight
        for i in range(SECOND_LAYER):
            other.weights.third[i] *= <float>foresight
        for i in range(FEATURES):
            other.weights.linear[i] *= <float>foresight
        other.weights.bias *= <float>foresight
        other.hash = self.hash
        return other

    def evaluate(self, State state not None):
        """Forecast the end of a game.

        Parameters
        ----------
        state : State
            At the start of a turn, or at the end of the game.

        Returns
        -------
        tuple of list
            Expected final score, and expected share of the victory, of each seat.
        """
        cdef Forecast forecast
        cdef int player, players = state.game.players
        evaluate(&self.weights, &state.game, &forecast)
        return (
            [forecast.scores[player] for player in range(players)],
            [forecast.shares[player] for player in range(players)],
        )

    def seat_scores(self, State state not None):
        """Forecast the final scores by the seat network, which sees one seat at a time.

        Parameters
        ----------
        state : State
            As for `evaluate`.

        Returns
        -------
        list of float
            Expected final score of each seat; exact once the game is over.
        """
        cdef int player
        return [
            score_of(&self.weights, &state.game, player) for player in range(state.game.players)
        ]

    def spreads(self, State state not None):
        """Give the standard deviation of each seat's final score about the forecast.

        Parameters
        ----------
        state : State
            As for `evaluate`.

        Returns
        -------
        list of float
            In points; 0 once the game is over.
        """
        cdef int player
        if state.game.phase == OVER:
            return [0.0] * state.game.players
        return [
            self.weights.spread[state.game.seats[player].in_hand]
            for player in range(state.game.players)
        ]
