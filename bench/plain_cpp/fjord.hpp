// The fjord as one 64-bit word.
//
// Cell (column, row) is bit 8 * column + r, where r is its axial row. The six neighbours of a set
// are then its shifts by 1, 7 and 8 either way; the columns are seven high, and where two columns
// touch in the word the board has no cells, which the static assertions below check.
#pragma once

#include "bits.hpp"

namespace fjord {

constexpr int COLUMNS = 7, ROWS = 7, CELLS = 34, SITES = 3;
constexpr const char* ROWS_DRAWN[ROWS] = {"...##..", "#.###P#", "#A#####", "#######",
                                          "####J##", "######.", ".#.#..."};
constexpr char SITE_LETTERS[SITES + 1] = "PAJ";

constexpr int axial_row(int column, int row) { return row - (column + (column & 1)) / 2; }
constexpr int bit_of(int column, int row) { return 8 * column + axial_row(column, row); }

struct Tables {
    u64 cells = 0;                     // the 34 cells
    u64 board = 0;                     // cells and construction sites
    u64 neighbours[64] = {};           // by bit: adjacent cells and sites
    int bit[CELLS] = {};               // cell number (column by column) -> bit
    u8 number[64] = {};                // and back
    int site_bit[SITES] = {};          // port, altar, jarl palace
    bool shifts_are_neighbours = true;
};

constexpr u64 shifted(u64 set) {
    return set << 1 | set >> 1 | set << 7 | set >> 7 | set << 8 | set >> 8;
}

constexpr Tables make_tables() {
    Tables tables;
    int cells = 0;
    for (int column = 0; column < COLUMNS; ++column) {
        for (int row = 0; row < ROWS; ++row) {
            const char letter = ROWS_DRAWN[row][column];
            if (letter == '.') continue;
            const int bit = bit_of(column, row);
            tables.board |= u64{1} << bit;
            if (letter == '#') {
                tables.cells |= u64{1} << bit;
                tables.number[bit] = static_cast<u8>(cells);
                tables.bit[cells++] = bit;
            }
            for (int site = 0; site < SITES; ++site)
                if (letter == SITE_LETTERS[site]) tables.site_bit[site] = bit;
            // The neighbours by geometry, without the shifts.
            for (int other = 0; other < COLUMNS * ROWS; ++other) {
                const int other_column = other / ROWS, other_row = other % ROWS;
                const int q = other_column - column;
                const int r = axial_row(other_column, other_row) - axial_row(column, row);
                const bool near = (q == 0 || r == 0 || q == -r) && q * q <= 1 && r * r <= 1;
                if (near && (q != 0 || r != 0) && ROWS_DRAWN[other_row][other_column] != '.')
                    tables.neighbours[bit] |= u64{1} << bit_of(other_column, other_row);
            }
        }
    }
    for (int bit = 0; bit < 64; ++bit)
        if (tables.board >> bit & 1)
            if (tables.neighbours[bit] != (shifted(u64{1} << bit) & tables.board))
                tables.shifts_are_neighbours = false;
    return tables;
}

constexpr Tables TABLES = make_tables();
static_assert(TABLES.shifts_are_neighbours, "two columns touch in the word");
static_assert(TABLES.bit[CELLS - 1] != 0, "34 cells");

}  // namespace fjord
