// Uniform random play: each legal action equally likely, each draw uniform over the unseen set.
#pragma once

#include "state.hpp"

template <class S>
int random_draw(const S& state, Random& random) {
    if (state.unseen == 0) return NO_DRAW;
    u64 bits = random.next();
    return select_bit(state.unseen, draw_below(bits, count_bits(state.unseen)));
}

// Chooses uniformly among the legal actions and hands the choice to one of the functions of
// `Act`: viking(space), shield(i), tile(kind, bit), longship(slot, bit), trophy(i), end().
template <class S, class Act>
auto choose(const S& state, Random& random, const Act& act) {
    u64 bits = random.next();
    const auto& seat = state.mover();
    switch (state.phase) {
        case Phase::TILES: {
            const u32 kinds = state.owed_kinds();
            const int kind = select_bit(kinds, draw_below(bits, count_bits(kinds)));
            const int cell = draw_below(bits, count_bits(seat.empty));
            return act.tile(kind, select_bit(seat.empty, cell));
        }
        case Phase::END_OF_TURN: {
            const u32 slots = state.longship_taken ? 0 : state.open_slots;
            const u32 trophies = state.claimable_trophies();
            const int cells = count_bits(seat.empty);
            const int longships = count_bits(slots) * cells;
            int choice = draw_below(bits, longships + count_bits(trophies) + 1);
            if (choice < longships) {
                const int slot = select_bit(slots, draw_below(bits, count_bits(slots)));
                return act.longship(slot, select_bit(seat.empty, draw_below(bits, cells)));
            }
            choice -= longships;
            if (choice < count_bits(trophies)) return act.trophy(select_bit(trophies, choice));
            return act.end();
        }
        default: {
            const auto spaces = state.landing_spaces();
            const u32 shields = state.usable_shields();
            const int choice = draw_below(bits, spaces.count() + count_bits(shields));
            if (choice < spaces.count()) return act.viking(spaces.select(choice));
            return act.shield(select_bit(shields, choice - spaces.count()));
        }
    }
}

struct ActionNumbers {
    int viking(int space) const { return space; }
    int shield(int i) const { return SHIELD_BASE + i; }
    int tile(int kind, int bit) const {
        return TILE_BASE + fjord::CELLS * kind + fjord::TABLES.number[bit];
    }
    int longship(int slot, int bit) const {
        return LONGSHIP_BASE + fjord::CELLS * slot + fjord::TABLES.number[bit];
    }
    int trophy(int i) const { return TROPHY_BASE + i; }
    int end() const { return END; }
};

template <class S>
int random_action(const S& state, Random& random) {
    return choose(state, random, ActionNumbers{});
}

template <class S>
struct Steps {
    S& state;
    Random& random;
    void viking(int space) const { state.place_viking(space); }
    void shield(int i) const { state.use_shield(i); }
    void tile(int kind, int bit) const { state.place_tile(kind, bit); }
    void longship(int slot, int bit) const {
        state.take_longship(slot, bit, random_draw(state, random));
    }
    void trophy(int i) const { state.take_trophy(i); }
    void end() const { state.end_turn(); }
};

// The same choice, applied at once instead of by its number.
template <class S>
void random_step(S& state, Random& random) {
    choose(state, random, Steps<S>{state, random});
}

inline bool is_longship(int action) { return action >= LONGSHIP_BASE && action < TROPHY_BASE; }

template <class S>
int draw_after(int action, const S& state, Random& random) {
    return is_longship(action) ? random_draw(state, random) : NO_DRAW;
}
