// The rules: one plain struct for each player count, copied as it is.
//
// Every action leaves everything up to date: scores, filled longships and sites, stacks, tiles
// owed. Legality is not checked here; `legal_actions` says what may be applied. R1-R21 are the
// numbers of the rules.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "setup.hpp"

constexpr int SHIELD_BASE = 84, TILE_BASE = 87, LONGSHIP_BASE = 325, TROPHY_BASE = 495, END = 500;
constexpr int ACTIONS = 501, NO_DRAW = -1;
constexpr u8 SECOND = 1, OCCUPIED = 2, DOUBLE = 4, NONE = 0xff;

enum class Phase : u8 { VIKING, SECOND_VIKING, TILES, END_OF_TURN, OVER };

template <int Words>
struct Seat {
    u64 code[3];                 // tiles by cell: bit i of (kind + 1) is in code[i]
    u64 empty;                   // empty cells
    u64 lack_low[RESOURCES];     // by cell of an unfilled longship: how many tiles of a resource
    u64 lack_high[RESOURCES];    //   are still lacking around it, 0-3 in two bits
    u64 sites_lack;              // the same of the three sites and all kinds, fields of `site`
    u64 pairs;                   // byte i: the towers with which tower i has been connected
    BitSet<Words> vikings;
    std::int16_t score;
    u8 longships[fjord::CELLS];  // by cell number; NONE
    u8 value[KINDS];             // points a tile
    u8 vikings_in_hand, shields, trophy;
    u8 castle_levels;            // two bits a castle
    u8 twice;                    // the space on which it has two vikings; NONE

    u64 cells_with(int kind) const {
        u64 cells = ~u64{0};
        for (int i = 0; i < 3; ++i) cells &= (kind + 1) >> i & 1 ? code[i] : ~code[i];
        return cells;
    }
    u64 unfilled_longships() const {
        u64 cells = 0;
        for (int kind = 0; kind < RESOURCES; ++kind) cells |= lack_low[kind] | lack_high[kind];
        return cells;
    }
};

template <int Players>
struct State {
    static constexpr int players = Players;
    static constexpr int words = Players == 4 ? 2 : 1;  // 44, 64 and 84 resource spaces
    using SpaceSet = BitSet<words>;

    const Tables<words>* tables;
    SpaceSet occupied;
    SpaceSet near_vikings;
    u64 stack;                // fields: tiles left on the building spaces
    u64 owed;                 // fields: tiles won and not yet placed
    u32 unseen;               // longships in the bag
    u8 ocean[OCEAN_SLOTS];    // longship by slot
    u8 open_slots, trophies;  // sets of what is still there
    u8 player;
    Phase phase;
    u8 active_shields;
    bool longship_taken;
    u8 turns;
    Seat<words> seats[Players];

    State() = default;

    State(const Setup& setup, const Tables<words>& shared) {
        std::memset(static_cast<void*>(this), 0, sizeof *this);
        tables = &shared;
        stack = shared.full_stack;
        unseen = (u32{1} << LONGSHIPS) - 1;
        open_slots = trophies = 0x1f;
        for (int slot = 0; slot < OCEAN_SLOTS; ++slot) {
            ocean[slot] = static_cast<u8>(setup.open[static_cast<std::size_t>(slot)]);
            unseen &= ~(u32{1} << ocean[slot]);
        }
        for (int p = 0; p < Players; ++p) {
            Seat<words>& seat = seats[p];
            seat.empty = fjord::TABLES.cells;
            for (int i = 0; i < fjord::SITES; ++i)
                for (int kind = 0; kind < KINDS; ++kind)
                    seat.sites_lack |=
                        field::times(i * KINDS + kind, setup.sites[static_cast<std::size_t>(p)]
                                                           [static_cast<std::size_t>(i)]
                                                           [static_cast<std::size_t>(kind)]);
            std::fill(std::begin(seat.longships), std::end(seat.longships), NONE);
            std::copy(std::begin(STARTING_VALUES), std::end(STARTING_VALUES), seat.value);
            seat.vikings_in_hand = VIKINGS;
            seat.shields = SECOND | OCCUPIED | DOUBLE;
            seat.twice = NONE;
        }
    }

    const Seat<words>& mover() const { return seats[player]; }

    // --- What is legal

    SpaceSet landing_spaces() const {  // R6, R17
        if (active_shields & OCCUPIED) return occupied;
        return (near_vikings | tables->near_ocean[open_slots]).without(occupied);
    }
    u8 usable_shields() const {  // R16-R18
        u8 usable = mover().shields;
        if (mover().vikings_in_hand < 2) usable &= u8(~SECOND);
        if (!occupied.any()) usable &= u8(~OCCUPIED);
        return usable;
    }
    u32 owed_kinds() const {  // R11
        const u64 some = field::not_empty(owed);
        u32 kinds = 0;
        for (int kind = 0; kind < KINDS; ++kind)
            kinds |= u32{(some & field::mask(kind)) != 0} << kind;
        return kinds;
    }
    u32 claimable_trophies() const {  // R14: a trophy bit i needs i + 2 axes
        if (mover().trophy != 0) return 0;
        const int axes = std::min(count_bits(mover().cells_with(AXE)), TROPHIES + 1);
        return trophies & ((u32{1} << axes) - 1) >> 1;
    }

    // Writes the legal actions in ascending order and returns how many they are.
    int legal_actions(std::int16_t* out) const {
        int count = 0;
        const auto put = [&](int action) { out[count++] = static_cast<std::int16_t>(action); };
        const auto put_cells = [&](int base) {
            for (u64 left = mover().empty; left != 0; left &= left - 1)
                put(base + fjord::TABLES.number[lowest_bit(left)]);
        };
        const auto put_set = [&](int base, u32 set) {
            for (; set != 0; set &= set - 1) put(base + lowest_bit(set));
        };
        switch (phase) {
            case Phase::VIKING:
            case Phase::SECOND_VIKING:
                for (SpaceSet left = landing_spaces(); left.any();) put(left.pop_lowest());
                put_set(SHIELD_BASE, usable_shields());
                break;
            case Phase::TILES:
                for (u32 kinds = owed_kinds(); kinds != 0; kinds &= kinds - 1)
                    put_cells(TILE_BASE + fjord::CELLS * lowest_bit(kinds));
                break;
            case Phase::END_OF_TURN:
                for (u32 slots = longship_taken ? 0 : open_slots; slots != 0; slots &= slots - 1)
                    put_cells(LONGSHIP_BASE + fjord::CELLS * lowest_bit(slots));
                put_set(TROPHY_BASE, claimable_trophies());
                put(END);
                break;
            case Phase::OVER:
                break;
        }
        return count;
    }

    // --- What happens. `draw` is the longship revealed, or NO_DRAW if the bag is empty.

    void apply(int action, int draw) {
        if (action < SHIELD_BASE) {
            place_viking(action);
        } else if (action < TILE_BASE) {
            use_shield(action - SHIELD_BASE);
        } else if (action < LONGSHIP_BASE) {
            const unsigned number = static_cast<unsigned>(action - TILE_BASE);
            place_tile(number / fjord::CELLS, fjord::TABLES.bit[number % fjord::CELLS]);
        } else if (action < TROPHY_BASE) {
            const unsigned number = static_cast<unsigned>(action - LONGSHIP_BASE);
            take_longship(number / fjord::CELLS, fjord::TABLES.bit[number % fjord::CELLS], draw);
        } else if (action < END) {
            take_trophy(action - TROPHY_BASE);
        } else {
            end_turn();
        }
    }

    void use_shield(int shield) {
        const u8 bit = static_cast<u8>(1 << shield);
        active_shields |= bit;
        seats[player].shields &= u8(~bit);
    }

    void place_viking(int space) {
        Seat<words>& seat = seats[player];
        const SpaceTables<words>& here = tables->spaces[space];
        owed += here.gain << (active_shields & DOUBLE ? 1 : 0);          // R7, R18
        const u64 houses = field::not_empty(stack) & here.houses;        // R8
        stack -= houses;
        owed += houses;
        --seat.vikings_in_hand;
        if (seat.vikings.has(space)) {
            seat.twice = static_cast<u8>(space);
        } else {
            seat.vikings.add(space);
            occupied.add(space);
            near_vikings |= here.neighbours;
            join_group(seat, space);
        }
        const bool second = active_shields & SECOND;
        active_shields = 0;
        if (second && landing_spaces().any())  // R19: else it stays in hand
            phase = Phase::SECOND_VIKING;
        else
            begin_tiles(seat);
    }

    void place_tile(int kind, int bit) {
        Seat<words>& seat = seats[player];
        owed -= u64{1} << (lowest_bit(owed & field::MASKS[kind]) & ~1);  // lowest-numbered space
        for (int i = 0; i < 3; ++i) seat.code[i] |= static_cast<u64>((kind + 1) >> i & 1) << bit;
        seat.empty ^= u64{1} << bit;
        seat.score = static_cast<std::int16_t>(seat.score + seat.value[kind]);
        serve_sites(seat, kind, bit);
        if (kind < RESOURCES) serve_longships(seat, kind, bit);
        begin_tiles(seat);
    }

    void take_longship(int slot, int bit, int draw) {  // R13
        Seat<words>& seat = seats[player];
        const u8 taken = ocean[slot];
        seat.longships[fjord::TABLES.number[bit]] = taken;
        seat.empty ^= u64{1} << bit;
        const u64 around = fjord::TABLES.neighbours[bit];
        bool filled = true;
        for (int kind = 0; kind < RESOURCES; ++kind) {
            const int need = tables->longships[taken].needs[static_cast<std::size_t>(kind)];
            const int lack = std::max(need - count_bits(around & seat.cells_with(kind)), 0);
            seat.lack_low[kind] |= static_cast<u64>(lack & 1) << bit;
            seat.lack_high[kind] |= static_cast<u64>(lack >> 1) << bit;
            filled &= lack == 0;
        }
        add_score(seat, -UNFILLED_PENALTY);
        if (filled) fill_longship(seat, bit);
        ocean[slot] = static_cast<u8>(draw);
        if (draw == NO_DRAW)
            open_slots &= u8(~(1 << slot));
        else
            unseen &= ~(u32{1} << draw);
        longship_taken = true;
    }

    void take_trophy(int trophy) {
        Seat<words>& seat = seats[player];
        trophies &= u8(~(1 << trophy));
        seat.trophy = static_cast<u8>(trophy + 2);
        add_score(seat, TROPHY_POINTS[trophy]);
    }

    void end_turn() {  // R15, R19
        longship_taken = false;
        ++turns;
        for (int step = 0; step < Players; ++step) {
            player = player + 1 == Players ? u8{0} : u8(player + 1);
            const Seat<words>& seat = seats[player];
            if (seat.vikings_in_hand != 0 && landing_spaces().any()) {
                phase = Phase::VIKING;
                return;
            }
        }
        phase = Phase::OVER;
    }

  private:
    static void add_score(Seat<words>& seat, int points) {
        seat.score = static_cast<std::int16_t>(seat.score + points);
    }

    // The rest of what is owed is placed next, or returned if no cell is empty.
    void begin_tiles(const Seat<words>& seat) {
        if (seat.empty == 0) {
            stack += owed & field::BUILDINGS;
            owed = 0;
        }
        phase = owed != 0 ? Phase::TILES : Phase::END_OF_TURN;
    }

    // R9, R10: only the group that the new viking belongs to can win anything.
    void join_group(Seat<words>& seat, int space) {
        u32 touch = tables->spaces[space].touch;
        SpaceSet todo = tables->spaces[space].neighbours & seat.vikings;
        int size = 1;
        if (todo.any()) {
            SpaceSet group;
            group.add(space);
            do {
                const int next = todo.pop_lowest();
                group.add(next);
                touch |= tables->spaces[next].touch;
                todo |= (tables->spaces[next].neighbours & seat.vikings).without(group);
                ++size;
            } while (todo.any());
        }
        const u32 towers = touch & 0xff;
        constexpr u64 DIAGONAL = 0x8040201008040201;
        const u64 fresh = spread_to_bytes(towers) * towers & ~(seat.pairs | DIAGONAL);
        if (fresh != 0) connect_towers(seat, fresh);
        if (size >= 4 && touch >> 8 != 0) raise_castles(seat, touch >> 8, std::min(size / 4, 3));
    }

    void connect_towers(Seat<words>& seat, u64 fresh) {
        seat.pairs |= fresh;
        for (int tower = 0; tower < 8; ++tower)
            win(field::FIRST[WATCHTOWER] + tower, count_bits(fresh >> (8 * tower) & 0xff));
    }

    void raise_castles(Seat<words>& seat, u32 castles, int level) {
        for (; castles != 0; castles &= castles - 1) {
            const int castle = lowest_bit(castles);
            const int rise = level - field::get(seat.castle_levels, castle);
            if (rise <= 0) continue;
            seat.castle_levels = static_cast<u8>(seat.castle_levels + field::times(castle, rise));
            win(field::FIRST[CASTLE] + castle, rise);
        }
    }

    void win(int building, int wanted) {
        const u64 won = field::times(building, std::min(wanted, field::get(stack, building)));
        stack -= won;
        owed += won;
    }

    void serve_sites(Seat<words>& seat, int kind, int bit) {  // R12
        const u64 served =
            field::not_empty(seat.sites_lack) & site::NEAR.near[bit] & site::OF_KIND[kind];
        if (served == 0) return;
        seat.sites_lack -= served;
        for (int i = 0; i < fjord::SITES; ++i)
            if (served & site::whole(i) && !(seat.sites_lack & site::whole(i)))
                add_score(seat, SITE_VALUES[i]);
    }

    void serve_longships(Seat<words>& seat, int kind, int bit) {  // R12
        const u64 served =
            (seat.lack_low[kind] | seat.lack_high[kind]) & fjord::TABLES.neighbours[bit];
        if (served == 0) return;
        seat.lack_high[kind] ^= served & ~seat.lack_low[kind];
        seat.lack_low[kind] ^= served;
        for (u64 filled = served & ~seat.unfilled_longships(); filled != 0; filled &= filled - 1)
            fill_longship(seat, lowest_bit(filled));
    }

    void fill_longship(Seat<words>& seat, int bit) {
        const Longship& longship = tables->longships[seat.longships[fjord::TABLES.number[bit]]];
        seat.value[longship.kind] = static_cast<u8>(seat.value[longship.kind] + longship.bonus);
        const int tiles = count_bits(seat.cells_with(longship.kind));
        add_score(seat, UNFILLED_PENALTY + longship.bonus * tiles);
    }
};

static_assert(std::is_trivially_copyable_v<State<4>>);
static_assert(sizeof(State<2>) <= 400 && sizeof(State<3>) <= 560 && sizeof(State<4>) <= 776);
