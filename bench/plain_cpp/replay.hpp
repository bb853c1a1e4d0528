// Plays recorded games again and compares everything the records tell; after every action also the
// kept score with one counted anew from the tiles.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "random_play.hpp"

// The score of a seat counted from its tiles, longships and sites alone (R12, R20).
template <class S>
FinalScore count_score(const S& state, const Setup& setup, int player) {
    const auto& seat = state.seats[player];
    std::array<u64, KINDS> tiles;
    std::array<int, KINDS> value;
    for (int kind = 0; kind < KINDS; ++kind) {
        tiles[kind] = seat.cells_with(kind);
        value[kind] = STARTING_VALUES[kind];
    }
    FinalScore result{};
    for (int number = 0; number < fjord::CELLS; ++number) {
        if (seat.longships[number] == NONE) continue;
        const Longship& longship = setup.longships[seat.longships[number]];
        const u64 around = fjord::TABLES.neighbours[fjord::TABLES.bit[number]];
        bool filled = true;
        for (int kind = 0; kind < RESOURCES; ++kind)
            filled &= count_bits(around & tiles[kind]) >= longship.needs[kind];
        if (filled)
            value[longship.kind] += longship.bonus;
        else
            result.penalty += UNFILLED_PENALTY;
    }
    for (int i = 0; i < fjord::SITES; ++i) {
        const u64 around = fjord::TABLES.neighbours[fjord::TABLES.site_bit[i]];
        bool filled = true;
        for (int kind = 0; kind < KINDS; ++kind)
            filled &= count_bits(around & tiles[kind]) >= setup.sites[player][i][kind];
        if (filled) result.sites += SITE_VALUES[i];
    }
    if (seat.trophy != 0) result.trophy = TROPHY_POINTS[seat.trophy - 2];
    result.total = result.sites + result.trophy - result.penalty;
    constexpr int SCORED[6] = {CASTLE, WATCHTOWER, HOUSE, GOLD, SHEEP, WOOD};
    for (int i = 0; i < 6; ++i) {
        result.counts_and_values[i] = {count_bits(tiles[SCORED[i]]), value[SCORED[i]]};
        result.total += result.counts_and_values[i].first * result.counts_and_values[i].second;
    }
    return result;
}

template <class S>
std::vector<int> winners_of(const S& state) {  // R21
    std::vector<int> winners;
    const auto rank = [&](int p) { return std::pair(state.seats[p].score, state.seats[p].trophy); };
    for (int p = 0; p < S::players; ++p) {
        if (!winners.empty() && rank(p) < rank(winners[0])) continue;
        if (!winners.empty() && rank(p) > rank(winners[0])) winners.clear();
        winners.push_back(p);
    }
    return winners;
}

struct ReplayTotals {
    long games = 0, actions = 0, turns = 0, differences = 0;
};

template <int Players>
class Replay {
  public:
    Replay(const Setup& setup, long game, ReplayTotals& totals)
        : setup_(setup), game_(game), totals_(totals), tables_(setup), state_(setup, tables_) {}

    void run() {
        ++totals_.games;
        std::size_t turn = 0;
        for (at_ = 0; at_ < setup_.actions.size(); ++at_) {
            const auto [action, draw] = setup_.actions[at_];
            if (turn < setup_.turns.size() && setup_.turns[turn].at == static_cast<int>(at_))
                check_turn_start(setup_.turns[turn]);
            std::array<std::int16_t, ACTIONS> legal;
            const int count = state_.legal_actions(legal.data());
            if (!std::binary_search(legal.begin(), legal.begin() + count, action))
                return differ("an action is not legal");
            if (draw != NO_DRAW && !(state_.unseen >> draw & 1))
                return differ("a longship drawn is not in the bag");
            if (is_longship(action) && (draw == NO_DRAW) != (state_.unseen == 0))
                return differ("a draw is missing or too many");
            state_.apply(action, draw);
            ++totals_.actions;
            for (int p = 0; p < Players; ++p)
                if (count_score(state_, setup_, p).total != state_.seats[p].score)
                    differ("the kept score");
            if (action == END && turn < setup_.turns.size()) check_turn_end(setup_.turns[turn++]);
        }
        if (turn != setup_.turns.size()) differ("the number of turns");
        if (!setup_.final_scores.empty()) check_final();
    }

  private:
    void differ(const char* what) {
        ++totals_.differences;
        std::fprintf(stderr, "game %ld, action %zu: %s\n", game_, at_, what);
    }

    void check_turn_start(const Turn& turn) {
        ++totals_.turns;
        if (state_.phase != Phase::VIKING || state_.player != turn.player) differ("whose turn");
        std::vector<int> legal;
        for (auto left = state_.landing_spaces(); left.any();) legal.push_back(left.pop_lowest());
        auto expected = turn.legal;
        std::sort(expected.begin(), expected.end());
        if (legal != expected) differ("landing spaces");
    }

    void check_turn_end(const Turn& turn) {
        for (int p = 0; p < Players; ++p)
            if (state_.seats[p].score != turn.scores[p]) differ("scores after the turn");
        for (std::size_t i = 0; i < turn.stacks.size(); ++i)
            if (field::get(state_.stack, tables_.building_field[i]) != turn.stacks[i])
                differ("building stacks after the turn");
    }

    void check_final() {
        if (state_.phase != Phase::OVER) differ("the game is not over");
        for (int p = 0; p < Players; ++p) {
            const FinalScore counted = count_score(state_, setup_, p);
            const FinalScore& told = setup_.final_scores[p];
            // The value a tile that the state keeps, in the order of the record.
            constexpr int SCORED[6] = {CASTLE, WATCHTOWER, HOUSE, GOLD, SHEEP, WOOD};
            for (int i = 0; i < 6; ++i)
                if (state_.seats[p].value[SCORED[i]] != told.counts_and_values[i].second)
                    differ("a value a tile");
            if (counted.counts_and_values != told.counts_and_values) differ("final counts");
            if (counted.sites != told.sites || counted.trophy != told.trophy ||
                counted.penalty != told.penalty || counted.total != told.total)
                differ("final sites, trophy, penalty or total");
        }
        if (!setup_.winners.empty() && winners_of(state_) != setup_.winners) differ("winners");
    }

    const Setup& setup_;
    long game_;
    ReplayTotals& totals_;
    Tables<State<Players>::words> tables_;
    State<Players> state_;
    std::size_t at_ = 0;
};
