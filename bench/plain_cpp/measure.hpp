// The three measurements. Each line of output is one JSON object; figures of time are medians over
// slices of processor time, because other programs may share the machine.
#pragma once

#include <cstdio>
#include <ctime>
#include <memory>

#include "random_play.hpp"

inline double seconds_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

constexpr int SLICES = 9;

// The set-ups of one player count with their tables and first states.
template <int Players>
struct Deals {
    using S = State<Players>;
    std::vector<std::unique_ptr<Tables<S::words>>> tables;
    std::vector<S> roots;

    explicit Deals(const std::vector<Setup>& setups) {
        for (const Setup& setup : setups) {
            if (setup.players != Players) continue;
            tables.push_back(std::make_unique<Tables<S::words>>(setup));
            roots.emplace_back(setup, *tables.back());
        }
    }
};

// Complete uniform random games. `ByNumber`: each action goes through its number (choose, then
// apply), as an agent would play it; otherwise the choice is applied at once.
template <int Players, bool ByNumber>
void measure_playouts(const Deals<Players>& deals, double seconds, u64 seed) {
    constexpr int BATCH = 100;  // games in a row on one set-up
    Random random(seed);
    long games = 0, actions = 0;
    double score_sums[Players] = {};
    std::vector<double> games_a_second, nanoseconds;
    std::size_t next_deal = 0;
    for (int slice = 0; slice < SLICES; ++slice) {
        const double start = seconds_now();
        const long games_before = games, actions_before = actions;
        double elapsed = 0;
        while (elapsed < seconds / SLICES) {
            const auto& root = deals.roots[next_deal++ % deals.roots.size()];
            for (int game = 0; game < BATCH; ++game) {
                State<Players> state = root;
                for (; state.phase != Phase::OVER; ++actions) {
                    if constexpr (ByNumber) {
                        const int action = random_action(state, random);
                        state.apply(action, draw_after(action, state, random));
                    } else {
                        random_step(state, random);
                    }
                }
                for (int p = 0; p < Players; ++p) score_sums[p] += state.seats[p].score;
            }
            games += BATCH;
            elapsed = seconds_now() - start;
        }
        games_a_second.push_back(static_cast<double>(games - games_before) / elapsed);
        nanoseconds.push_back(1e9 * elapsed / static_cast<double>(actions - actions_before));
    }
    const double action_ns = median(nanoseconds);
    std::printf("{\"mode\": \"playouts\", \"players\": %d, \"by_number\": %s, "
                "\"state_bytes\": %zu, \"setups\": %zu, \"games\": %ld, \"playouts_per_s\": %.0f, "
                "\"best_playouts_per_s\": %.0f, \"actions_per_s\": %.0f, \"ns_per_action\": %.2f, "
                "\"actions_per_game\": %.3f, \"mean_scores\": [",
                Players, ByNumber ? "true" : "false", sizeof(State<Players>), deals.roots.size(),
                games, median(games_a_second),
                *std::max_element(games_a_second.begin(), games_a_second.end()), 1e9 / action_ns,
                action_ns, static_cast<double>(actions) / static_cast<double>(games));
    for (int p = 0; p < Players; ++p)
        std::printf("%s%.3f", p ? ", " : "", score_sums[p] / static_cast<double>(games));
    std::printf("]}\n");
}

// One apply, over the actions of random games played beforehand (too many to be remembered by a
// branch predictor).
template <int Players>
void measure_apply(const Deals<Players>& deals, double seconds, u64 seed) {
    constexpr int GAMES = 2000;
    struct Step {
        std::int16_t action, draw;
    };
    Random random(seed);
    std::vector<std::vector<Step>> games(GAMES);
    long actions = 0;
    const auto root_of = [&](int game) -> const State<Players>& {
        return deals.roots[static_cast<std::size_t>(game) * deals.roots.size() / GAMES];
    };
    for (int game = 0; game < GAMES; ++game) {
        for (State<Players> state = root_of(game); state.phase != Phase::OVER; ++actions) {
            const int action = random_action(state, random);
            const int draw = draw_after(action, state, random);
            games[game].push_back({std::int16_t(action), std::int16_t(draw)});
            state.apply(action, draw);
        }
    }
    std::vector<double> nanoseconds;
    volatile int checksum = 0;
    const double end = seconds_now() + seconds;
    while (nanoseconds.size() < SLICES || seconds_now() < end) {
        const double start = seconds_now();
        for (int game = 0; game < GAMES; ++game) {
            State<Players> state = root_of(game);
            for (const Step step : games[game]) state.apply(step.action, step.draw);
            checksum = checksum + state.seats[0].score;
        }
        nanoseconds.push_back(1e9 * (seconds_now() - start) / static_cast<double>(actions));
    }
    std::printf("{\"mode\": \"apply\", \"players\": %d, \"ns_per_apply\": %.2f, \"best\": %.2f, "
                "\"actions\": %ld}\n",
                Players, median(nanoseconds),
                *std::min_element(nanoseconds.begin(), nanoseconds.end()), actions);
}

// One copy of a state, among 16 sources in mid-game and 16 destinations.
template <int Players>
void measure_copy(const Deals<Players>& deals, double seconds, u64 seed) {
    constexpr int STATES = 16, ROUNDS = 20000;
    Random random(seed);
    std::vector<State<Players>> sources(STATES), copies(STATES);
    for (int i = 0; i < STATES; ++i) {
        sources[i] = deals.roots[static_cast<std::size_t>(i) % deals.roots.size()];
        for (int step = 0; step < 50; ++step) random_step(sources[i], random);
    }
    std::vector<double> nanoseconds;
    const double end = seconds_now() + seconds;
    while (nanoseconds.size() < SLICES || seconds_now() < end) {
        const double start = seconds_now();
        for (int round = 0; round < ROUNDS; ++round) {
            for (int i = 0; i < STATES; ++i) copies[i] = sources[i];
            asm volatile("" : : "r"(copies.data()), "r"(sources.data()) : "memory");
        }
        nanoseconds.push_back(1e9 * (seconds_now() - start) / (ROUNDS * STATES));
    }
    std::printf("{\"mode\": \"copy\", \"players\": %d, \"state_bytes\": %zu, "
                "\"ns_per_copy\": %.2f, \"best\": %.2f}\n",
                Players, sizeof(State<Players>), median(nanoseconds),
                *std::min_element(nanoseconds.begin(), nanoseconds.end()));
}
