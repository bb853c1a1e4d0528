// Looot in plain C++17, written from the rules alone: what the compiled core is timed beside.
//
//   plain_cpp playouts SECONDS FILE [SEED]   complete uniform random games
//   plain_cpp apply SECONDS FILE [SEED]      one apply, mixed, over recorded random games
//   plain_cpp copy SECONDS FILE [SEED]       one copy of a state
//   plain_cpp replay FILE                    recorded games compared; fails if anything differs
//
// FILE is written by export_setups.py. Each player count found in it is measured. Output: one JSON
// object a line.

#include <cstdlib>

#include "measure.hpp"
#include "replay.hpp"

namespace {

template <int Players>
void measure(const std::string& mode, const std::vector<Setup>& setups, double seconds, u64 seed) {
    const Deals<Players> deals(setups);
    if (deals.roots.empty()) return;
    if (mode == "playouts") {
        measure_playouts<Players, false>(deals, seconds, seed);
        measure_playouts<Players, true>(deals, seconds, seed);
    } else if (mode == "apply") {
        measure_apply<Players>(deals, seconds, seed);
    } else {
        measure_copy<Players>(deals, seconds, seed);
    }
}

int replay(const std::vector<Setup>& setups) {
    ReplayTotals totals;
    long game = 0;
    for (const Setup& setup : setups) {
        ++game;
        if (setup.players == 2) Replay<2>(setup, game, totals).run();
        if (setup.players == 3) Replay<3>(setup, game, totals).run();
        if (setup.players == 4) Replay<4>(setup, game, totals).run();
    }
    std::printf("{\"mode\": \"replay\", \"games\": %ld, \"actions\": %ld, \"turns\": %ld, "
                "\"differences\": %ld}\n",
                totals.games, totals.actions, totals.turns, totals.differences);
    return totals.differences == 0 ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
    const std::size_t count = arguments.size();
    const std::string mode = count == 0 ? "" : arguments[0];
    const bool replays = mode == "replay" && count == 2;
    const bool measures = (mode == "playouts" || mode == "apply" || mode == "copy") &&
                          (count == 3 || count == 4);
    if (!replays && !measures) {
        std::fprintf(stderr, "usage: plain_cpp playouts|apply|copy SECONDS FILE [SEED]\n"
                             "       plain_cpp replay FILE\n");
        return 2;
    }
    const std::string& file = arguments[replays ? 1 : 2];
    const std::vector<Setup> setups = SetupReader(file).all();
    if (setups.empty()) throw std::runtime_error(file + " holds no set-up");
    if (replays) return replay(setups);
    const double seconds = std::atof(arguments[1].c_str());
    if (!(seconds > 0)) throw std::runtime_error("SECONDS must be above 0");
    const u64 seed = count == 4 ? std::strtoull(arguments[3].c_str(), nullptr, 10) : 1;
    measure<2>(mode, setups, seconds, seed);
    measure<3>(mode, setups, seconds, seed);
    measure<4>(mode, setups, seconds, seed);
    return 0;
}

}  // namespace

int main(int count, char** values) {
    try {
        return run({values + 1, values + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plain_cpp: %s\n", error.what());
        return 2;
    }
}
