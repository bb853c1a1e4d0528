// The flat text of export_setups.py, and the read-only tables that states share.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fjord.hpp"

enum Kind { WOOD, SHEEP, GOLD, AXE, HOUSE, WATCHTOWER, CASTLE, KINDS };
constexpr int RESOURCES = 4, OCEAN_SLOTS = 5, LONGSHIPS = 30, TROPHIES = 5, VIKINGS = 13;
constexpr int MAX_SPACES = 84;
constexpr int STARTING_VALUES[KINDS] = {1, 1, 2, 0, 1, 2, 4};
constexpr int SITE_VALUES[fjord::SITES] = {5, 7, 9};
constexpr int TROPHY_POINTS[TROPHIES] = {3, 6, 10, 15, 21};  // for 2, 3, 4, 5, 6 axes
constexpr int UNFILLED_PENALTY = 5;

struct Longship {
    int kind, bonus;
    std::array<int, RESOURCES> needs;
};

struct Space {
    int kind;
    std::vector<int> neighbours, buildings;
};

struct Turn {
    int player, at;
    std::vector<int> legal, scores, stacks;
};

struct FinalScore {
    std::array<std::pair<int, int>, 6> counts_and_values;  // castle to wood, as scored
    int sites, trophy, penalty, total;
};

// A set-up, and what a record of a game on it tells.
struct Setup {
    int players = 0;
    std::vector<Space> spaces;
    std::vector<int> buildings;  // kinds
    std::array<std::vector<int>, OCEAN_SLOTS> ocean;
    std::vector<Longship> longships;
    std::vector<std::array<std::array<int, KINDS>, fjord::SITES>> sites;  // by seat
    std::array<int, OCEAN_SLOTS> open{};
    std::vector<std::pair<int, int>> actions;  // and the longship drawn, or -1
    std::vector<Turn> turns;
    std::vector<FinalScore> final_scores;
    std::vector<int> winners;
};

class SetupReader {
  public:
    explicit SetupReader(const std::string& path) : in_(path) {
        if (!in_) throw std::runtime_error("cannot read " + path);
    }

    std::vector<Setup> all() {
        std::vector<Setup> setups;
        for (std::string word; in_ >> word;) {
            if (word != "setup") throw std::runtime_error("'setup' expected, not '" + word + "'");
            setups.push_back(one());
        }
        return setups;
    }

  private:
    int number() {
        int value;
        if (!(in_ >> value)) throw std::runtime_error("a number is missing or malformed");
        return value;
    }
    std::vector<int> numbers(int count) {
        std::vector<int> values(static_cast<std::size_t>(count));
        for (int& value : values) value = number();
        return values;
    }
    int section(const char* name) {
        word(name);
        return number();
    }
    void word(const char* name) {
        std::string found;
        in_ >> found;
        if (found != name)
            throw std::runtime_error("'" + std::string(name) + "' expected, not '" + found + "'");
    }

    Setup one() {
        Setup setup;
        setup.players = number();
        setup.spaces.resize(static_cast<std::size_t>(section("spaces")));
        for (Space& space : setup.spaces) {
            space.kind = number();
            space.neighbours = numbers(number());
            space.buildings = numbers(number());
        }
        setup.buildings = numbers(section("buildings"));
        word("ocean");
        for (auto& slot : setup.ocean) slot = numbers(number());
        setup.longships.resize(static_cast<std::size_t>(section("longships")));
        for (Longship& longship : setup.longships) {
            longship.kind = number();
            longship.bonus = number();
            for (int& need : longship.needs) need = number();
        }
        word("sites");
        setup.sites.resize(static_cast<std::size_t>(setup.players));
        for (auto& seat : setup.sites)
            for (auto& site : seat)
                for (int& need : site) need = number();
        word("open");
        for (int& longship : setup.open) longship = number();
        history(setup);
        word("stop");
        return setup;
    }

    void history(Setup& setup) {
        setup.actions.resize(static_cast<std::size_t>(section("actions")));
        for (auto& [action, draw] : setup.actions) {
            action = number();
            if (in_.get() != ':') throw std::runtime_error("':' expected after an action");
            draw = number();
        }
        setup.turns.resize(static_cast<std::size_t>(section("turns")));
        for (Turn& turn : setup.turns) {
            turn.player = number();
            turn.at = number();
            turn.legal = numbers(number());
            turn.scores = numbers(setup.players);
            turn.stacks = numbers(static_cast<int>(setup.buildings.size()));
        }
        setup.final_scores.resize(static_cast<std::size_t>(section("final")));
        for (FinalScore& seat : setup.final_scores) {
            for (auto& [count, value] : seat.counts_and_values) {
                count = number();
                value = number();
            }
            seat.sites = number();
            seat.trophy = number();
            seat.penalty = number();
            seat.total = number();
        }
        setup.winners = numbers(section("winners"));
    }

    std::ifstream in_;
};

// Counts of tiles in two bits each, in one word: what lies on the building spaces ("stack"), and
// with the resources above them what a player is owed.
namespace field {
constexpr int FIRST[KINDS] = {20, 21, 22, 23, 0, 9, 17};   // 9 houses, 8 towers, 3 castles
constexpr int CAPACITY[KINDS] = {1, 1, 1, 1, 9, 8, 3};
constexpr u64 mask(int kind) {
    return ((u64{1} << (2 * CAPACITY[kind])) - 1) << (2 * FIRST[kind]);
}
constexpr u64 MASKS[KINDS] = {mask(0), mask(1), mask(2), mask(3), mask(4), mask(5), mask(6)};
constexpr u64 LOW = 0x5555555555555555, BUILDINGS = (u64{1} << 40) - 1;
constexpr int get(u64 fields, int i) { return static_cast<int>(fields >> (2 * i)) & 3; }
constexpr u64 times(int i, int count) { return static_cast<u64>(count) << (2 * i); }
constexpr u64 not_empty(u64 fields) { return (fields | fields >> 1) & LOW; }
}  // namespace field

// What the construction sites of a seat still lack: two bits for each kind of each site.
namespace site {
constexpr int BITS = 2 * KINDS;
constexpr u64 whole(int i) { return ((u64{1} << BITS) - 1) << (BITS * i); }
constexpr u64 of_kind(int kind) {
    return u64{3} << (2 * kind) | u64{3} << (BITS + 2 * kind) | u64{3} << (2 * BITS + 2 * kind);
}
constexpr u64 OF_KIND[KINDS] = {of_kind(0), of_kind(1), of_kind(2), of_kind(3),
                                of_kind(4), of_kind(5), of_kind(6)};
struct NearTable {
    u64 near[64] = {};  // by bit of a cell: the fields of the sites beside it
};
constexpr NearTable make_near() {
    NearTable table;
    for (int i = 0; i < fjord::SITES; ++i)
        for (int bit = 0; bit < 64; ++bit)
            if (fjord::TABLES.neighbours[bit] >> fjord::TABLES.site_bit[i] & 1)
                table.near[bit] |= whole(i);
    return table;
}
constexpr NearTable NEAR = make_near();
}  // namespace site

template <int Words>
struct SpaceTables {
    BitSet<Words> neighbours;
    u64 gain;    // one tile of its resource
    u64 houses;  // the low bit of each house space beside it
    u32 touch;   // bits 0-7: watchtower spaces beside it, bits 8-10: castle spaces
};

template <int Words>
struct Tables {
    std::array<SpaceTables<Words>, MAX_SPACES> spaces;
    std::array<BitSet<Words>, 1 << OCEAN_SLOTS> near_ocean;  // by set of slots with a longship
    std::vector<int> building_field;                         // by building space
    std::array<Longship, LONGSHIPS> longships;
    u64 full_stack = 0;

    explicit Tables(const Setup& setup) {
        int used[KINDS] = {};
        for (const int kind : setup.buildings) {
            building_field.push_back(field::FIRST[kind] + used[kind]++);
            full_stack |= field::times(building_field.back(), kind == CASTLE ? 3 : 2);
        }
        for (std::size_t number = 0; number < setup.spaces.size(); ++number) {
            const Space& space = setup.spaces[number];
            SpaceTables<Words> row{{}, field::times(field::FIRST[space.kind], 1), 0, 0};
            for (const int near : space.neighbours) row.neighbours.add(near);
            for (const int near : space.buildings) {
                const int i = building_field[static_cast<std::size_t>(near)];
                if (i < field::FIRST[WATCHTOWER])
                    row.houses |= field::times(i, 1);
                else
                    row.touch |= u32{1} << (i - field::FIRST[WATCHTOWER]);
            }
            spaces.at(number) = row;
        }
        for (unsigned slots = 0; slots < near_ocean.size(); ++slots)
            for (unsigned slot = 0; slot < OCEAN_SLOTS; ++slot)
                if (slots >> slot & 1)
                    for (const int near : setup.ocean[slot]) near_ocean[slots].add(near);
        for (std::size_t i = 0; i < LONGSHIPS; ++i) longships[i] = setup.longships.at(i);
    }
};
