// Looot in plain C++17, written from the rules alone: what the compiled core is timed beside.
//
//   plain_cpp playouts SECONDS FILE   complete uniform random games
//   plain_cpp apply FILE              one apply, mixed, over recorded random games
//   plain_cpp copy FILE               one copy of a state
//   plain_cpp replay FILE             recorded games compared; fails if anything differs
//
// FILE is written by export_setups.py. Each player count found in it is measured. Output: one JSON
// object a line.

#include <cstdlib>

#include "measure.hpp"
#include "replay.hpp"

namespace {

constexpr u64 SEED = 20240611;

template <int Players>
void measure(const std::string& mode, const std::vector<Setup>& setups, double seconds) {
    const Deals<Players> deals(setups);
    if (deals.roots.empty()) return;
    if (mode == "playouts") {
        measure_playouts<Players, false>(deals, seconds, SEED);
        measure_playouts<Players, true>(deals, seconds, SEED);
    } else if (mode == "apply") {
        measure_apply<Players>(deals, 1.0, SEED);
    } else {
        measure_copy<Players>(deals, 0.5, SEED);
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
    const std::string mode = arguments.empty() ? "" : arguments[0];
    const bool playouts = mode == "playouts";
    const bool known = playouts || mode == "apply" || mode == "copy" || mode == "replay";
    if (!known || arguments.size() != (playouts ? 3 : 2)) {
        std::fprintf(stderr, "usage: plain_cpp playouts SECONDS FILE | apply FILE | copy FILE | "
                             "replay FILE\n");
        return 2;
    }
    const std::vector<Setup> setups = SetupReader(arguments.back()).all();
    if (setups.empty()) throw std::runtime_error(arguments.back() + " holds no set-up");
    if (mode == "replay") return replay(setups);
    const double seconds = playouts ? std::atof(arguments[1].c_str()) : 0;
    if (playouts && !(seconds > 0)) throw std::runtime_error("SECONDS must be above 0");
    measure<2>(mode, setups, seconds);
    measure<3>(mode, setups, seconds);
    measure<4>(mode, setups, seconds);
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
