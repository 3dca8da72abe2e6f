// yardstick.cpp: what the logic of Astragal's kernels costs in hand-written C++, on one core.
//
//   g++ -O3 -march=native -std=c++17 -o yardstick yardstick.cpp
//   ./yardstick [--seconds S] [MEASURE...]   one JSON object on stdout; S (default 1) is the time for each measure
//   ./yardstick --check                      perft, values, node counts against known ones; exit status 1 if wrong
//
// A generic engine: a game is a class with the functions that `@game` asks for (turn, actions, pick, play, outcomes,
// probability, draw, deal, utility, heuristic), and a search is a template over it. States, tables and rules are those
// of src/astragal/games/, searches those of src/astragal/algorithms/: a state is a plain record; a child is a copy of it on
// the stack, changed by `play` or `deal`; actions and outcomes are listed into arrays on the stack; the end and the
// horizon are handled in the loop of the parent; nodes are counted by kind, and the limits are polled at each inner
// node. Depth and settings are known at run time only. Values are player 0's. What a program written for EWN and
// Pig alone can do is in specialised.cpp.
#pragma GCC optimize("fp-contract=off")  // plain IEEE arithmetic, so that values and node counts can be compared
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "program.hpp"

using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
using i8 = std::int8_t; using i32 = std::int32_t; using i64 = std::int64_t;

#define INLINE inline __attribute__((always_inline))

constexpr int CHANCE = -1, TERMINAL = -2;  // instead of a player's number
constexpr double WIN = 100.0;

// ---------------------------------------------------------------------------------------------------------------- EWN
constexpr int SIDE = 5, NO_CUBE = 12, NO_SQUARE = 25, TO_ROLL = 6, OVER = 7;

struct EwnTables {
    static constexpr int PICKS = 12;  // a multiple of every number of moves that there can be
    u8 pick[2][32][32][16] = {};      // [player, square, another, 0 to 11] -> target, plus 32 if from the other
    u8 choice[64][8][2] = {};  // [cubes left, die] -> one cube or two; 6: none
    u8 target[2][32][4] = {};  // [player, square] -> up to three squares
    u8 moves[2][32] = {};      // [player, square] -> how many
    i64 cell[2][32] = {};      // [player, square] -> its bit in a set, the goal's the lowest
    double worth[32] = {};     // [lowest bit of a set] -> 25 times the steps that the nearest cube has left
    constexpr EwnTables() {
        for (int alive = 0; alive < 64; ++alive)
            for (int die = 0; die < 6; ++die) {
                int low = die, high = die;
                while (low >= 0 && !(alive >> low & 1)) --low;
                while (high < 6 && !(alive >> high & 1)) ++high;
                choice[alive][die][0] = low >= 0 ? low : high;
                choice[alive][die][1] = low >= 0 && high != low ? high : 6;
            }
        for (int me = 0; me < 2; ++me) {
            const int step = me ? -1 : 1;
            int place = 0;
            for (int steps = 0; steps < SIDE; ++steps)
                for (int square = 0; square < SIDE * SIDE; ++square) {
                    const int row = square / SIDE, column = square % SIDE;
                    if ((me ? std::max(row, column) : 4 - std::min(row, column)) != steps) continue;
                    worth[place] = 25 * steps;
                    cell[me][square] = i64{1} << place++;
                    for (int kind = 0; kind < 3; ++kind) {  // diagonal, vertical, horizontal
                        const int r = row + (kind != 2) * step, c = column + (kind != 1) * step;
                        if (0 <= r && r < SIDE && 0 <= c && c < SIDE)
                            target[me][square][moves[me][square]++] = SIDE * r + c;
                    }
                }
        }
        worth[25] = 125;
        for (int me = 0; me < 2; ++me)
            for (int square = 0; square < SIDE * SIDE; ++square)
                for (int other = 0; other <= SIDE * SIDE; ++other)
                    for (int i = 0, n = moves[me][square] + moves[me][other]; i < PICKS && n; ++i) {
                        const int m = i * n / PICKS, first = moves[me][square];
                        pick[me][square][other][i] = m < first ? target[me][square][m] : target[me][other][m - first] | 32;
                    }
    }
};
struct Ewn {
    static constexpr int MAX_ACTIONS = 8, MAX_OUTCOMES = 6;
    static constexpr int ALIVE = 56, THEIRS = 32;
    static constexpr u64 EACH = 0x010101010101, HIGH = 0x80 * EACH, ALL = u64{63} << ALIVE;
    static constexpr u64 GATHER = 0x0102040810204080;

    struct State {
        u64 mine, theirs;  // byte k: the square of cube k; byte 6: NO_SQUARE; byte 7: one bit for each cube left
        u64 cells;         // where they stand, as sets, the other's above THEIRS
        i64 turn, die;     // die: 0 to 5, TO_ROLL or OVER
    };

    static constexpr EwnTables T{};

    static State fixed_start() {
        constexpr int camp[6] = {0, 1, 2, 5, 6, 10};
        State s{};
        s.mine = s.theirs = ALL | u64{NO_SQUARE} << 48;
        for (int k = 0; k < 6; ++k) {
            s.mine |= u64(camp[k]) << 8 * k;
            s.theirs |= u64(24 - camp[k]) << 8 * k;
            s.cells |= T.cell[0][camp[k]] | T.cell[1][24 - camp[k]] << THEIRS;
        }
        s.die = TO_ROLL;
        return s;
    }

    INLINE int turn(const State& s) const {
        if (s.die == OVER) return TERMINAL;
        return s.die == TO_ROLL ? CHANCE : s.turn;
    }

    INLINE u32 actions(const State& s, u32* out) const {
        const u32 me = s.turn, mine = s.mine >> ALIVE;
        u32 count = 0;
        for (int j = 0; j < 2; ++j) {
            const u32 k = T.choice[mine][s.die][j], here = s.mine >> 8 * k & 31;
            for (u32 m = 0; m < 3; ++m) out[count + m] = (6 * me + k) << 5 | T.target[me][here][m];
            count += T.moves[me][here];
        }
        return count;
    }

    INLINE u32 pick(const State& s, u32 word) const {
        const u32 me = s.turn & 1, mine = s.mine >> ALIVE & 63;
        const u32 first = T.choice[mine][s.die & 7][0], second = T.choice[mine][s.die & 7][1];
        const u32 here = s.mine >> 8 * first & 31, there = s.mine >> 8 * second & 31;
        const u32 picked = T.pick[me][here][there][u64{word} * T.PICKS >> 32];
        return (6 * me + (picked & 32 ? second : first)) << 5 | (picked & 31);
    }

    INLINE static u64 without(u64 cubes, u64 square) {
        const u64 hit = ((HIGH - (cubes ^ EACH * square)) & HIGH) >> 7;
        return cubes ^ hit * (square ^ NO_SQUARE) ^ (hit * GATHER & ALL);
    }

    INLINE void play(State& s, u32 action) const {
        const u32 me = s.turn, offset = 8 * ((action >> 5) - 6 * me), to = action & 31, here = s.mine >> offset & 31;
        const u64 mine = without(s.mine, to) ^ u64{here ^ to} << offset, theirs = without(s.theirs, to);
        const u64 my_cells = (u32(s.cells) ^ T.cell[me][here]) | T.cell[me][to];
        const u64 their_cells = (s.cells >> THEIRS) & ~T.cell[1 - me][to];
        s.mine = theirs, s.theirs = mine;
        s.cells = their_cells | my_cells << THEIRS;
        const bool won = (to == (me ? 0u : 24u)) | (theirs >> ALIVE == 0);
        s.die = won ? OVER : TO_ROLL;
        s.turn = me ^ 1;
    }

    INLINE u32 outcomes(const State&, u32* out) const {
        for (u32 face = 0; face < 6; ++face) out[face] = face;
        return 6;
    }
    INLINE double probability(const State&, u32) const { return 1.0 / 6; }
    INLINE u32 draw(const State&, u32 word) const { return u64{word} * 6 >> 32; }
    INLINE void deal(State& s, u32 outcome) const { s.die = outcome; }

    INLINE double utility(const State& s, u32 player) const { return s.turn == player ? -WIN : WIN; }
    INLINE static double nearest(u32 cells) { return T.worth[__builtin_ctz(cells | 1u << 25)]; }
    INLINE double heuristic(const State& s, u32 player) const {
        const double ahead = nearest(s.cells >> THEIRS) - nearest(u32(s.cells));
        return s.turn == player ? ahead : -ahead;
    }
};

// ---------------------------------------------------------------------------------------------------------------- Pig
// OUTCOMES is how chance is listed: 6 for one die; 11, the distinct outcomes of two; 36, each ordered pair of them. An
// outcome is 0 for a bust, 1 for a double 1, else the number of points plus one; with 36, the number of the pair.
template <int OUTCOMES> struct PigTables {
    static constexpr int FACES = OUTCOMES == 6 ? 6 : 36;
    u8 listed[OUTCOMES] = {};
    double chance[36] = {};  // [outcome] -> probability
    u8 thrown[FACES] = {};      // [equally likely throw] -> outcome
    u8 points[FACES] = {};      // [throw] -> outcome of the distinct ones
    constexpr PigTables() {
        for (int face = 0; face < FACES; ++face) {
            const int a = face / 6 + 1, b = face % 6 + 1;
            points[face] = FACES == 6 ? (b == 1 ? 0 : b + 1) : a + b == 2 ? 1 : a == 1 || b == 1 ? 0 : a + b + 1;
        }
        int count = 0, drawn = 0;
        for (int outcome = 0; outcome < 36; ++outcome) {
            int weight = 0;
            for (int face = 0; face < FACES; ++face) weight += outcome == (OUTCOMES == 36 ? face : points[face]);
            if (weight == 0) continue;
            listed[count++] = outcome;
            chance[outcome] = static_cast<double>(weight) / FACES;
            while (weight--) thrown[drawn++] = outcome;
        }
    }
};

template <int OUTCOMES> struct Pig {
    static constexpr int HOLD = 0, ROLL = 1, RESET = 1;
    static constexpr int MAX_ACTIONS = 2, MAX_OUTCOMES = OUTCOMES;
    int goal = 100;

    struct State {
        i64 score[2], pot, turn, rolling;
    };

    static constexpr PigTables<OUTCOMES> T{};

    INLINE int turn(const State& s) const {
        if (s.score[0] >= goal || s.score[1] >= goal) return TERMINAL;
        return s.rolling ? CHANCE : s.turn;
    }
    INLINE u32 actions(const State&, u32* out) const {
        out[0] = HOLD;
        out[1] = ROLL;
        return 2;
    }
    INLINE u32 pick(const State&, u32 word) const { return word >> 31; }
    INLINE void play(State& s, u32 action) const {
        const i64 holds = action == HOLD, held = s.pot * holds;  // by arithmetic: every other random decision holds
        s.score[0] += held * (1 - s.turn);  // not score[turn]: a variable index keeps the state out of registers
        s.score[1] += held * s.turn;
        s.pot -= held;
        s.turn ^= holds;
        s.rolling = 1;
    }
    INLINE u32 outcomes(const State&, u32* out) const {
        for (int i = 0; i < OUTCOMES; ++i) out[i] = T.listed[i];
        return OUTCOMES;
    }
    INLINE double probability(const State&, u32 outcome) const { return T.chance[outcome]; }
    INLINE u32 draw(const State&, u32 word) const { return T.thrown[u64{word} * T.FACES >> 32]; }
    INLINE void deal(State& s, u32 outcome) const {
        if (OUTCOMES == 36) outcome = T.points[outcome];
        if (outcome > RESET) {
            s.pot += static_cast<i64>(outcome) - 1;
            s.rolling = 0;
        } else {
            if (outcome == RESET) {
                if (s.turn) s.score[1] = 0;
                else s.score[0] = 0;
            }
            s.pot = 0;
            s.turn ^= 1;
        }
    }
    INLINE double utility(const State& s, u32 player) const { return s.score[player] >= goal ? WIN : -WIN; }
    INLINE double heuristic(const State& s, u32 player) const {
        const i64 pot = s.pot, ahead = i64{s.score[player]} - s.score[1 - player] + (s.turn == player ? pot : -pot);
        return std::min(WIN, std::max(-WIN, static_cast<double>(ahead) * (WIN / goal)));
    }
};

// --------------------------------------------------------------------------------------------------------- Can't Stop
struct CantStopTables {
    static constexpr int SIDES = 6, COLUMNS = 2 * SIDES - 1, ROLLS = 126, THROWS = 1296, SPACES = 31, ONE = 1 << 20;
    double chance[ROLLS] = {};       // [roll] -> probability
    u8 thrown[THROWS] = {};          // [equally likely throw] -> roll
    u8 pairs[ROLLS][3][2] = {};      // [roll, pairing] -> two columns, the lower one first
    u8 pairings[ROLLS] = {};         // [roll] -> how many differ
    u16 sums[ROLLS] = {};            // [roll] -> the columns of all its pairings, one bit each
    u8 top[COLUMNS] = {};            // [column] -> its spaces
    u8 outwards[COLUMNS] = {};       // [column] -> how far it is from the middle one
    i64 fraction[COLUMNS][SPACES + 1] = {};  // [column, spaces] -> how much of the column that is, in parts of ONE
    double success[1 << COLUMNS] = {};       // [playable columns] -> the chance that a roll is no bust
    i64 fields[1 << COLUMNS] = {};           // [columns] -> all the bits of their spaces
    u8 first[256] = {}, second[256] = {};    // [action] -> columns climbed, the same one if it is one alone
    i64 climb[256] = {}, columns[256] = {};  // [action] -> what is added to packed spaces; columns, one bit each

    constexpr void list_pairings(int roll, const int (&dice)[4]) {
        for (int with = 1; with < 4; ++with) {
            int rest = 0;
            for (int i = 1; i < 4; ++i) rest += i == with ? 0 : dice[i];
            const int one = dice[0] + dice[with] - 2, other = rest - 2;
            const int low = std::min(one, other), high = std::max(one, other);
            sums[roll] |= 1 << low | 1 << high;
            int at = 0;  // sorted, and each only once
            while (at < pairings[roll] && pairs[roll][at][0] < low) ++at;
            if (at < pairings[roll] && pairs[roll][at][0] == low) continue;
            for (int i = pairings[roll]++; i > at; --i)
                for (int side = 0; side < 2; ++side) pairs[roll][i][side] = pairs[roll][i - 1][side];
            pairs[roll][at][0] = low, pairs[roll][at][1] = high;
        }
    }

    constexpr void list_rolls() {
        int roll = 0, thrown_so_far = 0;
        for (int total = 4; total <= 4 * SIDES; ++total)
            for (int a = 1; a <= SIDES; ++a)
                for (int b = a; b <= SIDES; ++b)
                    for (int c = b; c <= SIDES; ++c) {
                        const int d = total - a - b - c;
                        if (d < c || d > SIDES) continue;
                        list_pairings(roll, {a, b, c, d});
                        int weight = 24, run = 1;  // the orders in which these dice may fall
                        for (int same : {a == b, b == c, c == d}) weight /= (run = same ? run + 1 : 1);
                        chance[roll] = weight / double{THROWS};
                        while (weight--) thrown[thrown_so_far++] = roll;
                        ++roll;
                    }
    }

    constexpr CantStopTables() {
        list_rolls();
        for (int column = 0; column < COLUMNS; ++column) {
            outwards[column] = column < SIDES ? SIDES - 1 - column : column + 1 - SIDES;
            top[column] = 3 + 2 * (SIDES - 1 - outwards[column]);
            for (int spaces = 0; spaces <= SPACES; ++spaces) {
                const double share = spaces < top[column] ? double(spaces) / top[column] : 1;
                fraction[column][spaces] = i64(ONE * share + 0.5);
            }
        }
        for (int set = 0; set < 1 << COLUMNS; ++set) {
            int good = 0;
            for (int roll = 0; roll < ROLLS; ++roll) good += sums[roll] & set ? int(chance[roll] * THROWS + 0.5) : 0;
            success[set] = good / double{THROWS};
            for (int column = 0; column < COLUMNS; ++column) fields[set] |= i64(set >> column & 1) * SPACES << 5 * column;
        }
        for (int low = 2; low < 13; ++low)
            for (int high = low - 1; high < 13; ++high) {
                const int both = high >= low, x = low - 2, y = both ? high - 2 : x, action = 16 * low + both * high;
                first[action] = x, second[action] = y;
                climb[action] = (i64{1} << 5 * x) + (i64{both} << 5 * y);
                columns[action] = 1 << x | 1 << y;
            }
    }
};

template <int PLAYERS> struct CantStop {
    static constexpr int STOP = 0, ROLL = 1, TO_DECIDE = 254, OVER = 255, TO_ROLL = 253, RUNNERS = 3, GOAL = 3;
    static constexpr int MAX_ACTIONS = 6, MAX_OUTCOMES = CantStopTables::ROLLS;
    struct State {
        i64 markers[4], climbed;  // spaces of each column, packed: of each player, and by the runners in this turn
        u16 placed, topped, closed;  // columns with a runner, with a runner on top, and won, one bit each
        u8 roll, turn;
    };
    static constexpr CantStopTables T{};
    static constexpr int COLUMNS = T.COLUMNS;

    static State start() {
        State s{};
        s.roll = TO_ROLL;
        return s;
    }

    INLINE static int spaces(i64 packed, u32 column) { return packed >> 5 * column & T.SPACES; }
    INLINE static int bits(u32 set) { return __builtin_popcount(set); }

    INLINE int turn(const State& s) const {
        if (s.roll == TO_ROLL) return CHANCE;
        return s.roll == OVER ? TERMINAL : s.turn;
    }
    INLINE static int runners_left(const State& s) { return RUNNERS - bits(s.placed); }
    INLINE static u32 playable(const State& s) {
        const u32 climbable = ((1u << COLUMNS) - 1) & ~u32(s.closed | s.topped);
        return runners_left(s) > 0 ? climbable : climbable & s.placed;
    }
    INLINE static bool plays_both(const State& s, u32 open, u32 x, u32 y) {
        const u32 both = 1u << x | 1u << y;
        const bool fits = x != y ? bits(both & ~u32{s.placed}) <= runners_left(s)
                                 : T.top[x] - spaces(s.markers[s.turn] + s.climbed, x) > 1;
        return (open & both) == both && fits;
    }

    // What the roll allows to climb, eight bits each; and how many that is.
    INLINE static u32 choices(const State& s, u64& found) {
        const u32 open = playable(s), roll = s.roll;
        u32 count = 0;
        found = 0;
        const auto add = [&](u64 action) { found |= action << 8 * count++; };
        for (u32 i = 0; i < T.pairings[roll]; ++i) {
            const u32 x = T.pairs[roll][i][0], y = T.pairs[roll][i][1];
            if (plays_both(s, open, x, y)) {
                add(16 * (x + 2) + y + 2);
            } else {
                if (open >> x & 1) add(16 * (x + 2));
                if (x != y && open >> y & 1) add(16 * (y + 2));
            }
        }
        return count;
    }

    INLINE static int won(const State& s, u32 player) {
        const i64 mine = s.markers[player] & T.fields[s.closed];
        int count = 0;
        for (int column = 0; column < COLUMNS; ++column) count += spaces(mine, column) != 0;
        return count;
    }

    // The order of actions is that of the Rule of 28 without its adjustments.
    INLINE static bool goes_on(const State& s) {
        if (s.topped && won(s, s.turn) + bits(s.topped) >= GOAL) return false;
        int points = 0;
        for (u32 left = s.placed; left; left &= left - 1) {
            const u32 column = __builtin_ctz(left);
            points += (T.outwards[column] + 1) * (spaces(s.climbed, column) + 1);
        }
        return (runners_left(s) > 0 && (playable(s) & ~u32{s.placed})) || points < 28;
    }
    INLINE static int worth(const State& s, u32 action) {
        const u32 x = T.first[action], y = T.second[action], placed = s.placed;
        int gain = (T.outwards[x] + 1) * (2 - (placed >> x & 1));
        if (action & 15) gain += (T.outwards[y] + 1) * (x == y ? 1 : 2 - (placed >> y & 1));
        return 2 * (gain - 6 * bits(placed | T.columns[action])) + ((action & 15) != 0);
    }
    INLINE u32 actions(const State& s, u32* out) const {
        if (s.roll == TO_DECIDE) {
            out[0] = goes_on(s) ? ROLL : STOP;
            out[1] = ROLL + STOP - out[0];
            return 2;
        }
        u64 found;
        const u32 count = choices(s, found);
        for (u32 i = 0; i < count; ++i) {
            const u32 action = found >> 8 * i & 255;
            const int value = worth(s, action);
            u32 k = i;
            for (; k > 0 && worth(s, out[k - 1]) < value; --k) out[k] = out[k - 1];
            out[k] = action;
        }
        return count;
    }
    INLINE u32 pick(const State& s, u32 word) const {
        if (s.roll == TO_DECIDE) return word >> 31;
        u64 found;
        const u32 count = choices(s, found);
        return found >> 8 * (u64{word} * count >> 32) & 255;
    }

    INLINE void play(State& s, u32 action) const {
        if (action == ROLL) {
            s.roll = TO_ROLL;
        } else if (action == STOP) {
            stop(s);
        } else {
            const u32 x = T.first[action], y = T.second[action];
            s.climbed += T.climb[action];
            const i64 reached = s.markers[s.turn] + s.climbed;
            s.topped |= (spaces(reached, x) == T.top[x]) << x | (spaces(reached, y) == T.top[y]) << y;
            s.placed |= T.columns[action];
            s.roll = TO_DECIDE;
        }
    }
    INLINE static void stop(State& s) {
        const u32 me = s.turn;
        s.markers[me] += s.climbed;
        if (s.topped) {
            for (u32 player = 0; player < PLAYERS; ++player)
                if (player != me) s.markers[player] &= ~T.fields[s.topped];
            s.closed |= s.topped;
        }
        const bool ends = s.topped && won(s, me) >= GOAL;
        if (ends) clear_runners(s);
        else end_turn(s);
        s.roll = ends ? OVER : TO_ROLL;
    }
    INLINE static void clear_runners(State& s) { s.climbed = 0, s.placed = s.topped = 0; }
    INLINE static void end_turn(State& s) {
        clear_runners(s);
        s.turn = s.turn + 1 == PLAYERS ? 0 : s.turn + 1;
    }

    INLINE u32 outcomes(const State&, u32* out) const {
        for (u32 roll = 0; roll < T.ROLLS; ++roll) out[roll] = roll;
        return T.ROLLS;
    }
    INLINE double probability(const State&, u32 outcome) const { return T.chance[outcome]; }
    INLINE u32 draw(const State&, u32 word) const { return T.thrown[u64{word} * T.THROWS >> 32]; }
    INLINE void deal(State& s, u32 outcome) const {  // a bust is followed by the next player's forced roll
        if ((T.sums[outcome] & playable(s)) == 0) end_turn(s);
        else s.roll = outcome;
    }

    INLINE double utility(const State& s, u32 player) const { return s.turn == player ? WIN : -WIN; }
    INLINE static double climbed_share(i64 markers) {  // the mean of the best three columns' fractions
        i64 a = 0, b = 0, c = 0;
        for (int column = 0; column < COLUMNS; ++column) {
            i64 share = T.fraction[column][spaces(markers, column)], less = std::min(a, share);
            a = std::max(a, share);
            share = std::min(b, less);
            b = std::max(b, less);
            c = std::max(c, share);
        }
        return static_cast<double>(a + b + c) / (i64{T.ONE} * GOAL);
    }
    INLINE static double progress(const State& s, u32 player) {
        const i64 markers = s.markers[player];
        if (s.turn != player || s.placed == 0) return climbed_share(markers);
        const double ahead = climbed_share(markers + s.climbed);
        if (s.roll != TO_ROLL) return ahead;
        const double success = T.success[playable(s)];
        return success * ahead + (1 - success) * climbed_share(markers);
    }
    INLINE double heuristic(const State& s, u32 player) const {
        double others = 0;
        for (u32 other = 0; other < PLAYERS; ++other)
            if (other != player) others = std::max(others, progress(s, other));
        return WIN * (progress(s, player) - others);
    }
};

// ------------------------------------------------------------------------------------------------------ Games of skill
// Both rows and all sets of squares are as the player to move sees them, as in src/astragal/games/.
struct NoChance {
    static constexpr int MAX_OUTCOMES = 1;
    template <class State> INLINE u32 outcomes(const State&, u32*) const { return 0; }
    template <class State> INLINE double probability(const State&, u32) const { return 0; }
    template <class State> INLINE u32 draw(const State&, u32) const { return 0; }
    template <class State> INLINE void deal(State&, u32) const {}
};

struct TicTacToeTables {
    u8 has_row[512] = {}, count[512] = {}, listed[512][9] = {};
    i8 open[512] = {};
    constexpr TicTacToeTables() {
        constexpr int rows[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
        constexpr int best_first[9] = {4, 0, 2, 6, 8, 1, 3, 5, 7};
        for (int squares = 0; squares < 512; ++squares) {
            for (int row : rows) {
                has_row[squares] |= (squares & row) == row;
                open[squares] += (squares & row) == 0;
            }
            for (int square : best_first)
                if (squares >> square & 1) listed[squares][count[squares]++] = square;
        }
    }
};

struct TicTacToe : NoChance {
    static constexpr int MAX_ACTIONS = 9;
    struct State { u16 mine, theirs; u8 turn; };
    static constexpr TicTacToeTables T{};

    static State start() { return {0, 0, 0}; }
    INLINE int turn(const State& s) const {
        return T.has_row[s.theirs] || (s.mine | s.theirs) == 511 ? TERMINAL : s.turn;
    }
    INLINE u32 actions(const State& s, u32* out) const {
        const u32 empty = 511 ^ (s.mine | s.theirs), count = T.count[empty];
        for (u32 i = 0; i < count; ++i) out[i] = T.listed[empty][i];
        return count;
    }
    INLINE u32 pick(const State& s, u32 word) const {
        const u32 empty = 511 ^ (s.mine | s.theirs);
        return T.listed[empty][u64{word} * T.count[empty] >> 32];
    }
    INLINE void play(State& s, u32 action) const {
        const u16 marked = s.mine | 1u << action;
        s.mine = s.theirs;
        s.theirs = marked;
        s.turn ^= 1;
    }
    INLINE double utility(const State& s, u32 player) const {
        return !T.has_row[s.theirs] ? 0 : s.turn == player ? -1 : 1;
    }
    INLINE double heuristic(const State& s, u32 player) const {
        const double ahead = (T.open[s.theirs] - T.open[s.mine]) / 8.0;
        return s.turn == player ? ahead : -ahead;
    }
};

struct ConnectFourTables {
    u8 count[128] = {}, listed[128][7] = {};  // [full columns] -> the others
    u64 gather = 0, floor = 0, board = 0;
    constexpr ConnectFourTables() {
        constexpr int best_first[7] = {3, 2, 4, 1, 5, 0, 6};
        for (int full = 0; full < 128; ++full)
            for (int column : best_first)
                if (!(full >> column & 1)) listed[full][count[full]++] = column;
        for (int column = 0; column < 7; ++column) {
            gather |= u64{1} << (36 - 6 * column);
            floor |= u64{1} << 7 * column;
        }
        board = floor * 63;
    }
};

struct ConnectFour : NoChance {
    static constexpr int MAX_ACTIONS = 7, ON = 0, WON = 1, DRAWN = 2;
    struct State { u64 mine, theirs; u8 turn, over; };
    static constexpr ConnectFourTables T{};

    static State start() { return {0, 0, 0, 0}; }
    INLINE int turn(const State& s) const { return s.over ? TERMINAL : s.turn; }
    INLINE static u32 full_columns(const State& s) {
        return ((s.mine | s.theirs) >> 5 & T.floor) * T.gather >> 36 & 127;
    }
    INLINE u32 actions(const State& s, u32* out) const {
        const u32 full = full_columns(s), count = T.count[full];
        for (u32 i = 0; i < count; ++i) out[i] = T.listed[full][i];
        return count;
    }
    INLINE u32 pick(const State& s, u32 word) const {
        const u32 full = full_columns(s);
        return T.listed[full][u64{word} * T.count[full] >> 32];
    }
    INLINE static bool has_four(u64 discs) {
        const u64 across = discs & discs >> 7, rising = discs & discs >> 8, falling = discs & discs >> 6;
        const u64 upward = discs & discs >> 1;
        return (across & across >> 14) | (rising & rising >> 16) | (falling & falling >> 12) | (upward & upward >> 2);
    }
    INLINE void play(State& s, u32 action) const {
        const u64 taken = s.mine | s.theirs, landed = (taken + (u64{1} << 7 * action)) & ~taken;
        const u64 discs = s.mine | landed;
        s.mine = s.theirs;
        s.theirs = discs;
        s.turn ^= 1;
        s.over = has_four(discs) ? WON : (taken | landed) == T.board ? DRAWN : ON;
    }
    INLINE double utility(const State& s, u32 player) const {
        return s.over == DRAWN ? 0 : s.turn == player ? -1 : 1;
    }
};

// Kalah under the standard rules: no capture opposite an empty pit, and what is left goes to the owner of its row.
template <int PITS, int STONES> struct KalahTables {
    static constexpr int TOTAL = 2 * PITS * STONES;
    u64 sown[PITS][TOTAL + 1][2] = {};   // [pit, stones in it] -> what sowing them adds to each row
    u8 stored[PITS][TOTAL + 1] = {};     // -> how many fall into the store
    u8 last[PITS][TOTAL + 1] = {};       // -> where the last one falls
    u8 count[256] = {}, listed[256][8] = {};  // [pits with stones] -> these, from the store backwards
    constexpr KalahTables() {
        for (int pit = 0; pit < PITS; ++pit)
            for (int held = 1; held <= TOTAL; ++held) {
                int place = pit;
                for (int k = 0; k < held; ++k) {
                    place = (place + 1) % (2 * PITS + 1);
                    if (place < PITS) sown[pit][held][0] += u64{1} << 8 * place;
                    else if (place == PITS) ++stored[pit][held];
                    else sown[pit][held][1] += u64{1} << 8 * (place - PITS - 1);
                }
                sown[pit][held][0] -= u64(held) << 8 * pit;
                last[pit][held] = place;
            }
        for (int pits = 0; pits < 256; ++pits)
            for (int pit = 7; pit >= 0; --pit)
                if (pits >> pit & 1) listed[pits][count[pits]++] = pit;
    }
};

template <int PITS, int STONES, bool MARGIN> struct Kalah : NoChance {
    static constexpr int MAX_ACTIONS = PITS;
    static constexpr u64 ONES = 0x0101010101010101, SEVENS = 0x7F * ONES, GATHER = 0x0102040810204080;
    struct State { u64 mine, theirs; u8 my_store, their_store, turn; };
    static constexpr KalahTables<PITS, STONES> T{};
    static constexpr double POINT = WIN / T.TOTAL;

    static State start() {
        const u64 row = STONES * (ONES >> 8 * (8 - PITS));
        return {row, row, 0, 0, 0};
    }
    INLINE int turn(const State& s) const { return s.mine == 0 ? TERMINAL : s.turn; }
    INLINE static u32 filled(const State& s) { return ((s.mine + SEVENS) >> 7 & ONES) * GATHER >> 56; }
    INLINE u32 actions(const State& s, u32* out) const {
        const u32 pits = filled(s);
        for (u32 i = 0; i < PITS; ++i) out[i] = T.listed[pits][i];  // always all: their number would be mispredicted
        return T.count[pits];
    }
    INLINE u32 pick(const State& s, u32 word) const {
        const u32 pits = filled(s);
        return T.listed[pits][u64{word} * T.count[pits] >> 32];
    }
    INLINE void play(State& s, u32 action) const {
        const u32 held = s.mine >> 8 * action & 255, last = T.last[action][held];
        u64 mine = s.mine + T.sown[action][held][0], theirs = s.theirs + T.sown[action][held][1];
        u32 store = s.my_store + T.stored[action][held], other = s.their_store;
        const u32 pit = std::min(last, u32{PITS - 1}), facing = PITS - 1 - pit, prey = theirs >> 8 * facing & 255;
        const u64 captures = (last == pit) & ((mine >> 8 * pit & 255) == 1) & (prey > 0);
        mine -= captures << 8 * pit;
        theirs -= captures * prey << 8 * facing;
        store += captures * (1 + prey);
        if (mine == 0 || theirs == 0) {
            store += mine % 255;
            other += theirs % 255;
            mine = theirs = 0;
        }
        if (last == PITS) {
            s.mine = mine, s.theirs = theirs, s.my_store = store, s.their_store = other;
        } else {
            s.mine = theirs, s.theirs = mine, s.my_store = other, s.their_store = store;
            s.turn ^= 1;
        }
    }
    INLINE static int lead(const State& s, u32 player) {
        const int ahead = s.my_store - s.their_store;
        return s.turn == player ? ahead : -ahead;
    }
    INLINE double utility(const State& s, u32 player) const {
        const int ahead = lead(s, player);
        return MARGIN ? POINT * ahead : ahead > 0 ? WIN : ahead < 0 ? -WIN : 0;
    }
    INLINE double heuristic(const State& s, u32 player) const { return POINT * lead(s, player); }
};

// -------------------------------------------------------------------------------------------------------- Random games
struct Played { i64 decisions = 0; double total = 0; };

INLINE u64 next_word(u64& x) {  // wyrand
    x += 0xA0761D6478BD642Full;
    const unsigned __int128 product = static_cast<unsigned __int128>(x) * (x ^ 0xE7037ED1A0B428DBull);
    return static_cast<u64>(product >> 64) ^ static_cast<u64>(product);
}

template <class Game> Played random_games(const Game game, const typename Game::State& root, i64 count, u64 generator) {
    Played sum;
    for (i64 i = 0; i < count; ++i) {
        typename Game::State state = root;
        int turn;
        while ((turn = game.turn(state)) != TERMINAL) {
            const u32 word = next_word(generator) >> 32;
            if (turn == CHANCE) game.deal(state, game.draw(state, word));
            else game.play(state, game.pick(state, word));
            sum.decisions += turn != CHANCE;
        }
        sum.total += game.utility(state, 0);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------------ Searches
struct Work {
    i64 decisions = 0, chances = 0, leaves = 0, terminals = 0, decision_cuts = 0, chance_cuts = 0;
    i64 node_limit = std::numeric_limits<i64>::max();
    volatile i64 stop = 0;  // set from outside, at a deadline
    double low = -WIN, high = WIN;
    i64 afterstates = 0;  // evaluate before the roll at the horizon
    u64 key = 0;          // of all samples
    i64 width = 0;        // outcomes drawn at a chance node
    i64 nodes() const { return decisions + chances + leaves + terminals; }
};

// Keyed sampling, as in src/astragal/algorithms/star/outcomes.py: what is drawn is a function of a key and the state.
constexpr u64 STEP = 0xA0761D6478BD642F, MIX = 0xE7037ED1A0B428DB, KEY = 0x9E3779B97F4A7C15;

INLINE u64 fold(u64 a, u64 b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<u64>(product >> 64) ^ static_cast<u64>(product);
}
INLINE u32 keyed(u64 key, u64 number) { return fold(key ^ (number + 1) * KEY, MIX ^ key) >> 32; }

template <class State> INLINE u64 state_key(const State& state, u64 key) {
    static_assert(sizeof(State) % 8 == 0, "whole words, without gaps");
    u64 h = MIX;
    for (unsigned i = 0; i < sizeof(State) / 8; ++i) {
        u64 word;
        std::memcpy(&word, reinterpret_cast<const char*>(&state) + 8 * i, 8);
        h = fold(h ^ word, STEP);
    }
    return fold(key ^ fold(h, KEY), KEY);
}

// Draw outcomes and merge equal ones; how many there are. Few are compared with each other, many looked up by number.
template <class Game>
INLINE u32 draw_outcomes(const Game& game, const typename Game::State& state, u64 key, u32 width, u32* outcomes,
                         double* chances) {
    constexpr u32 FEW = 6;
    const u64 own = state_key(state, key);
    u32 count = 0, places[Game::MAX_OUTCOMES];
    if (width > FEW) std::fill_n(places, Game::MAX_OUTCOMES, 0u);
    for (u32 sample = 0; sample < width; ++sample) {
        const u32 outcome = game.draw(state, keyed(own, sample));
        u32 at = 0;
        if (width > FEW) {
            u32 place = outcome % Game::MAX_OUTCOMES;
            while (places[place] != 0 && outcomes[places[place] - 1] != outcome)
                if (++place == Game::MAX_OUTCOMES) place = 0;
            if (places[place] == 0) places[place] = count + 1;
            at = places[place] - 1;
        } else {
            while (at < count && outcomes[at] != outcome) ++at;
        }
        if (at == count) outcomes[count] = outcome, chances[count++] = 0;
        chances[at] += 1;
    }
    for (u32 i = 0; i < count; ++i) chances[i] /= width;
    return count;
}

// Expectimax, or with PRUNE Star1: alpha-beta at decisions, and bounds kept at chance nodes; with SAMPLED, of outcomes
// that are drawn. Depth, windows, cuts and counts are those of src/astragal/algorithms/star/.
template <class Game, bool PRUNE, bool SAMPLED = false> struct Search {
    using State = typename Game::State;

    INLINE static bool exhausted(Work& work) {
        if (work.nodes() + Game::MAX_ACTIONS + Game::MAX_OUTCOMES >= work.node_limit) work.stop = 1;
        return work.stop != 0;
    }

    // A state that is not terminal, with depth > 0 units left; a state whose turn is CHANCE is a forced decision.
    static double value_of(const Game& game, const State& state, int turn, int depth, double alpha, double beta,
                           Work& work) {
        if (exhausted(work)) return 0;
        if (turn == CHANCE) {
            State child = state;
            return after_action(game, child, depth, alpha, beta, work);
        }
        ++work.decisions;
        u32 actions[Game::MAX_ACTIONS];
        const u32 count = game.actions(state, actions);
        double best = turn == 1 ? INFINITY : -INFINITY;
        for (u32 i = 0; i < count; ++i) {
            State child = state;
            game.play(child, actions[i]);
            const double value = after_action(game, child, depth, alpha, beta, work);
            if (turn == 1) {
                best = std::min(best, value);
                if (PRUNE) beta = std::min(beta, best);
            } else {
                best = std::max(best, value);
                if (PRUNE) alpha = std::max(alpha, best);
            }
            if (PRUNE && alpha >= beta) {
                ++work.decision_cuts;
                break;
            }
        }
        return best;
    }

    INLINE static double after_action(const Game& game, State& state, int depth, double alpha, double beta,
                                      Work& work) {
        const int turn = game.turn(state);
        if (turn == TERMINAL) return ++work.terminals, game.utility(state, 0);
        if (depth == 1 && (turn != CHANCE || work.afterstates)) return ++work.leaves, game.heuristic(state, 0);
        if (turn != CHANCE) return value_of(game, state, turn, depth - 1, alpha, beta, work);
        ++work.chances;
        if (SAMPLED && work.width == 1) {  // in place: nobody needs the chance node again
            game.deal(state, game.draw(state, keyed(state_key(state, work.key), 0)));
            return after_outcome(game, state, depth - 1, alpha, beta, work);
        }
        if constexpr (PRUNE) return star1(game, state, depth - 1, alpha, beta, work);
        else return expectation(game, state, depth - 1, alpha, beta, work);
    }

    INLINE static double after_outcome(const Game& game, const State& state, int depth, double alpha, double beta,
                                       Work& work) {
        const int turn = game.turn(state);
        if (turn == TERMINAL) return ++work.terminals, game.utility(state, 0);
        if (depth == 0) return ++work.leaves, game.heuristic(state, 0);
        return value_of(game, state, turn, depth, alpha, beta, work);
    }

    INLINE static double expectation(const Game& game, const State& state, int depth, double alpha, double beta,
                                     Work& work) {
        u32 outcomes[Game::MAX_OUTCOMES];
        const u32 count = game.outcomes(state, outcomes);
        double total = 0;
        for (u32 i = 0; i < count; ++i) {
            State child = state;
            game.deal(child, outcomes[i]);
            total += game.probability(state, outcomes[i]) * after_outcome(game, child, depth, alpha, beta, work);
        }
        return total;
    }

    // Not inlined: in EWN the registers it saves in value_of are worth a third of the speed.
    __attribute__((noinline)) static double star1(const Game& game, const State& state, int depth, double alpha,
                                                  double beta, Work& work) {
        const double low = work.low, high = work.high;
        u32 outcomes[Game::MAX_OUTCOMES];
        double chances[Game::MAX_OUTCOMES];
        const u32 count = SAMPLED ? draw_outcomes(game, state, work.key, work.width, outcomes, chances)
                                  : game.outcomes(state, outcomes);
        double total = 0, pess = low, opti = high;  // what the node is worth at least and at most
        for (u32 i = 0; i < count; ++i) {
            const double chance = SAMPLED ? chances[i] : game.probability(state, outcomes[i]);
            State child = state;
            game.deal(child, outcomes[i]);
            const double a = (alpha - opti + chance * high) / chance, b = (beta - pess + chance * low) / chance;
            const double inner_a = std::min(std::max(a, low), high), inner_b = std::min(std::max(b, low), high);
            const double value = after_outcome(game, child, depth, inner_a, inner_b, work);
            total += chance * value;
            pess += chance * (value - low);
            if (value >= b || pess >= beta) return ++work.chance_cuts, pess;
            opti += chance * (value - high);
            if (value <= a || opti <= alpha) return ++work.chance_cuts, opti;
        }
        return total;
    }
};

// Alpha-beta for games without chance: windows, cuts and counts are those of src/astragal/algorithms/alphabeta/ without
// table and ordering.
template <class Game> struct AlphaBeta {
    using State = typename Game::State;

    // Values and windows are the mover's; where the same player moves again they stay as they are.
    static double value_of(const Game& game, const State& state, int turn, int depth, double alpha, double beta,
                           Work& work) {
        if (work.nodes() + Game::MAX_ACTIONS >= work.node_limit) work.stop = 1;
        if (work.stop) return 0;
        ++work.decisions;
        u32 actions[Game::MAX_ACTIONS];
        const u32 count = game.actions(state, actions);
        double best = -INFINITY;
        for (u32 i = 0; i < count; ++i) {
            State child = state;
            game.play(child, actions[i]);
            const int after = game.turn(child);
            double value;
            if (after == TERMINAL) ++work.terminals, value = game.utility(child, turn);
            else if (depth == 1) ++work.leaves, value = game.heuristic(child, turn);
            else if (after == turn) value = value_of(game, child, after, depth - 1, alpha, beta, work);
            else value = -value_of(game, child, after, depth - 1, -beta, -alpha, work);
            if (value > best) {
                best = value;
                alpha = std::max(alpha, best);
                if (best >= beta) {
                    ++work.decision_cuts;
                    break;
                }
            }
        }
        return best;
    }
};

// ----------------------------------------------------------------------------------------------------------------- UCT
// Tree search with random games to the end, as in src/astragal/algorithms/tree/: one flat array of nodes, children side by
// side, made when a node is visited for the second time; those of a chance node as they are drawn, in room for all of
// them. A node's sum is that of the rewards of its owner, who chose it. The scan for the best child begins at a random
// one, and the first without a visit is taken.
struct Node {
    double sum;
    u32 visits, first, action;  // first: where its children begin, 0 while there are none
    u16 count;
    u8 owner, unused;
};
static_assert(sizeof(Node) == 24, "as large as the library's");

constexpr u32 CAPACITY = 1 << 22, TABULATED = 1 << 13;
constexpr int LONGEST_PATH = 1024;

// What selection needs of a number of visits n: divisions and square roots would take half of its time.
struct OfVisits { double share, exploration, parent; };  // 1 / n, 1 / sqrt(n), sqrt(ln(n))

INLINE OfVisits of_visits(u32 n) { return {1.0 / n, 1.0 / std::sqrt(double(n)), std::sqrt(std::log(double(n)))}; }

struct Pool {  // nodes and tables, used again by each search
    std::vector<Node> nodes;
    std::vector<double> share, exploration, parent;
    Pool() : nodes(CAPACITY), share(TABULATED), exploration(TABULATED), parent(TABULATED) {
        for (u32 n = 1; n < TABULATED; ++n) {
            const OfVisits row = of_visits(n);
            share[n] = row.share, exploration[n] = row.exploration, parent[n] = row.parent;
        }
    }
};

struct Grown { i64 simulations; i64 slots; double mean; };

template <class Game> struct Uct {
    using State = typename Game::State;
    const Game game;
    Node* const nodes;
    const double *const share, *const exploration, *const parent;
    const double c;
    u64 generator;
    u32 used = 1;

    INLINE u32 room_for(u32 count) {
        if (used + count > CAPACITY) std::abort();  // not with the numbers of simulations measured here
        used += count;
        return used - count;
    }

    INLINE u32 follow_chance(State& state, Node& node) {
        const u32 outcome = game.draw(state, next_word(generator) >> 32);
        game.deal(state, outcome);
        for (u32 i = node.first; i < node.first + node.count; ++i)
            if (nodes[i].action == outcome) return i;
        if (node.count == 0) node.first = room_for(Game::MAX_OUTCOMES);
        const u32 child = node.first + node.count++;
        nodes[child] = {0, 0, 0, outcome, 0, node.owner, 0};
        return child;
    }

    INLINE void expand(const State& state, Node& node, u32 turn) {
        u32 actions[Game::MAX_ACTIONS];
        node.count = game.actions(state, actions);
        node.first = room_for(node.count);
        for (u32 i = 0; i < node.count; ++i) nodes[node.first + i] = {0, 0, 0, actions[i], 0, static_cast<u8>(turn), 0};
    }

    INLINE u32 follow_choice(State& state, Node& node, u32 turn, u32 seen) {
        if (node.first == 0) expand(state, node, turn);
        const u32 first = node.first, count = node.count;
        const double explore = c * (seen < TABULATED ? parent[seen] : of_visits(seen).parent);
        double best = -INFINITY;
        u32 chosen = first, i = (next_word(generator) >> 32) * count >> 32;
        for (u32 k = 0; k < count; ++k) {
            const Node& child = nodes[first + i];
            if (child.visits == 0) {
                chosen = first + i;
                break;
            }
            const u32 visits = child.visits;
            const double value = visits < TABULATED ? child.sum * share[visits] + explore * exploration[visits]
                                                    : child.sum / visits + explore * of_visits(visits).exploration;
            if (value > best) best = value, chosen = first + i;
            if (++i == count) i = 0;
        }
        game.play(state, nodes[chosen].action);
        return chosen;
    }

    Grown run(const State& root, i64 simulations) {
        nodes[0] = {};
        nodes[0].owner = std::max(game.turn(root), 0);
        u32 path[LONGEST_PATH];
        for (i64 n = 0; n < simulations; ++n) {
            State state = root;
            u32 at = 0;
            int length = 0, turn;
            for (;;) {  // down the tree
                Node& node = nodes[at];
                const u32 seen = node.visits++;
                path[length++] = at;
                turn = game.turn(state);
                if (turn == TERMINAL || seen == 0 || length == LONGEST_PATH) break;
                at = turn == CHANCE ? follow_chance(state, node) : follow_choice(state, node, turn, seen);
            }
            while (turn != TERMINAL) {  // a random game
                const u32 word = next_word(generator) >> 32;
                if (turn == CHANCE) game.deal(state, game.draw(state, word));
                else game.play(state, game.pick(state, word));
                turn = game.turn(state);
            }
            const double reward = game.utility(state, 0);
            for (int i = 0; i < length; ++i) {  // and up again
                Node& node = nodes[path[i]];
                node.sum += node.owner ? -reward : reward;
            }
        }
        return {simulations, used, nodes[0].sum / nodes[0].visits};
    }
};

template <class Game> i64 perft(const Game& game, const typename Game::State& state, int depth) {
    if (depth == 0) return 1;
    const int turn = game.turn(state);
    u32 list[std::max(Game::MAX_ACTIONS, Game::MAX_OUTCOMES)];
    const u32 n = turn == TERMINAL ? 0 : turn == CHANCE ? game.outcomes(state, list) : game.actions(state, list);
    i64 count = 0;
    for (u32 i = 0; i < n; ++i) {
        typename Game::State child = state;
        if (turn == CHANCE) game.deal(child, list[i]);
        else game.play(child, list[i]);
        count += perft(game, child, depth - 1);
    }
    return count;
}

// ------------------------------------------------------------------------------------------------------------ Measures
template <class T> T opaque(T value) {  // a value that the compiler knows nothing of, like a parameter read at run time
    asm volatile("" : "+r"(value));
    return value;
}

struct Found { double value; i64 nodes; };

template <class Game, bool PRUNE>
Found search(const Game& game, const typename Game::State& root, int depth, bool afterstates) {
    Work work;
    work.afterstates = opaque(i64{afterstates});
    const int turn = game.turn(root);
    const double value = Search<Game, PRUNE>::value_of(game, root, turn, opaque(depth), work.low, work.high, work);
    return {value, work.nodes()};
}

template <class Game> Found star1ss(const Game& game, const typename Game::State& root, int depth, i64 width) {
    Work work;
    work.key = opaque(u64{12345});
    work.width = opaque(width);
    const int turn = game.turn(root);
    const double value =
        Search<Game, true, true>::value_of(game, root, turn, opaque(depth), work.low, work.high, work);
    return {value, work.nodes()};
}

constexpr u32 CANT_STOP_3445 = 89;  // the number of that roll
constexpr int EWN_DEPTH = 5, PIG_DEPTH = 5, PIG_36_DEPTH = 4, KALAH_DEPTH = 12;

Ewn::State ewn_root() {  // 123../45.../6...f/...ed/..cba 1 3
    Ewn::State root = Ewn::fixed_start();
    Ewn{}.deal(root, 2);
    return root;
}

CantStop<2>::State cant_stop_root() {  // 7:5,8:3,12:1 4:2,6:4,7:2 6:2,8:4 1 3445
    const auto at = [](int column, i64 spaces) { return spaces << 5 * (column - 2); };
    CantStop<2>::State root = CantStop<2>::start();
    root.markers[0] = at(7, 5) + at(8, 3) + at(12, 1);
    root.markers[1] = at(4, 2) + at(6, 4) + at(7, 2);
    root.climbed = at(6, 2) + at(8, 1);
    root.placed = 1 << 4 | 1 << 6;
    CantStop<2>{}.deal(root, CANT_STOP_3445);
    return root;
}

template <int OUTCOMES> typename Pig<OUTCOMES>::State pig_root() { return {{0, 0}, 8, 0, 0}; }  // 0 0 8 1 decide
template <int OUTCOMES> typename Pig<OUTCOMES>::State pig_start() { return {{0, 0}, 0, 0, 1}; }

Found ewn_expectimax() { return search<Ewn, false>(Ewn{}, ewn_root(), EWN_DEPTH, true); }
Found ewn_star1() { return search<Ewn, true>(Ewn{}, ewn_root(), EWN_DEPTH, true); }
template <int WIDTH, int DEPTH> Found ewn_star1ss() { return star1ss(Ewn{}, ewn_root(), DEPTH, WIDTH); }
template <int WIDTH, int DEPTH> Found cant_stop_star1ss() {
    return star1ss(CantStop<2>{}, cant_stop_root(), DEPTH, WIDTH);
}
Found pig_expectimax() { return search<Pig<11>, false>(Pig<11>{opaque(100)}, pig_root<11>(), PIG_DEPTH, false); }
Found pig_star1() { return search<Pig<11>, true>(Pig<11>{opaque(100)}, pig_root<11>(), PIG_DEPTH, false); }
Found pig_expectimax_36() { return search<Pig<36>, false>(Pig<36>{opaque(100)}, pig_root<36>(), PIG_36_DEPTH, false); }
Played ewn_random_games(i64 n, u64 seed) { return random_games(Ewn{}, Ewn::fixed_start(), n, seed); }
Played pig1_random_games(i64 n, u64 seed) { return random_games(Pig<6>{opaque(100)}, pig_start<6>(), n, seed); }

using KalahForMargin = Kalah<6, 4, true>;
using KalahForWin = Kalah<6, 4, false>;

template <class Game> Found alpha_beta(int depth) {
    Work work;
    const double value =
        AlphaBeta<Game>::value_of(Game{}, Game::start(), 0, opaque(depth), work.low, work.high, work);
    return {value, work.nodes()};
}
Found kalah_alphabeta() { return alpha_beta<KalahForMargin>(KALAH_DEPTH); }

template <class Game> Grown uct(const Game& game, const typename Game::State& root, double range, i64 n, u64 seed) {
    static Pool pool;
    Uct<Game> tree{game, pool.nodes.data(), pool.share.data(), pool.exploration.data(), pool.parent.data(),
                   1.4 * range, seed};
    return tree.run(root, n);
}
Grown ewn_uct(i64 n, u64 seed) { return uct(Ewn{}, Ewn::fixed_start(), WIN, n, seed); }
Grown pig1_uct(i64 n, u64 seed) { return uct(Pig<6>{opaque(100)}, pig_start<6>(), WIN, n, seed); }
Grown kalah_uct(i64 n, u64 seed) { return uct(KalahForWin{}, KalahForWin::start(), WIN, n, seed); }
Grown connect_four_uct(i64 n, u64 seed) { return uct(ConnectFour{}, ConnectFour::start(), 1, n, seed); }
Grown tic_tac_toe_uct(i64 n, u64 seed) { return uct(TicTacToe{}, TicTacToe::start(), 1, n, seed); }

struct Measure {
    const char* name;
    Found (*search)();
    Played (*play)(i64, u64);
    Grown (*grow)(i64, u64);
};

constexpr Measure MEASURES[] = {
    {"ewn_random_games", nullptr, ewn_random_games, nullptr},
    {"ewn_expectimax", ewn_expectimax, nullptr, nullptr},
    {"ewn_star1", ewn_star1, nullptr, nullptr},
    {"ewn_star1ss_1", ewn_star1ss<1, 13>, nullptr, nullptr},
    {"ewn_star1ss_2", ewn_star1ss<2, 7>, nullptr, nullptr},
    {"ewn_star1ss_5", ewn_star1ss<5, 5>, nullptr, nullptr},
    {"ewn_star1ss_25", ewn_star1ss<25, 4>, nullptr, nullptr},
    {"cant_stop_star1ss_1", cant_stop_star1ss<1, 25>, nullptr, nullptr},
    {"cant_stop_star1ss_5", cant_stop_star1ss<5, 8>, nullptr, nullptr},
    {"cant_stop_star1ss_25", cant_stop_star1ss<25, 5>, nullptr, nullptr},
    {"pig1_random_games", nullptr, pig1_random_games, nullptr},
    {"pig_expectimax", pig_expectimax, nullptr, nullptr},
    {"pig_star1", pig_star1, nullptr, nullptr},
    {"pig_expectimax_36", pig_expectimax_36, nullptr, nullptr},
    {"kalah_alphabeta", kalah_alphabeta, nullptr, nullptr},
    {"ewn_uct", nullptr, nullptr, ewn_uct},
    {"pig1_uct", nullptr, nullptr, pig1_uct},
    {"kalah_uct", nullptr, nullptr, kalah_uct},
    {"connect_four_uct", nullptr, nullptr, connect_four_uct},
    {"tic_tac_toe_uct", nullptr, nullptr, tic_tac_toe_uct},
};

constexpr i64 GAMES = 20000, SIMULATIONS = 20000;
constexpr u64 SEED = 12345;

void run(const Measure& measure, double seconds) {
    if (measure.search) {
        Found last{};
        const double rate = best_rate(seconds, [&] { return (last = measure.search()).nodes; });
        std::printf("\"%s\": {\"per_second\": %.1f, \"unit\": \"nodes\", \"nodes\": %lld, \"value\": %.15g}",
                    measure.name, rate, static_cast<long long>(last.nodes), last.value);
    } else if (measure.grow) {
        Grown last{};
        const double rate = best_rate(seconds, [&] { return (last = measure.grow(SIMULATIONS, SEED)).simulations; });
        std::printf("\"%s\": {\"per_second\": %.1f, \"unit\": \"simulations\", \"simulations\": %lld, \"slots\": %lld, "
                    "\"mean\": %.15g}",
                    measure.name, rate, static_cast<long long>(last.simulations), static_cast<long long>(last.slots),
                    last.mean);
    } else {
        Played last{};
        const double rate = best_rate(seconds, [&] { return last = measure.play(GAMES, SEED), GAMES; });
        std::printf("\"%s\": {\"per_second\": %.1f, \"unit\": \"games\", \"games\": %lld, \"seed\": %llu, "
                    "\"decisions\": %lld, \"total\": %.15g}",
                    measure.name, rate, static_cast<long long>(GAMES), static_cast<unsigned long long>(SEED),
                    static_cast<long long>(last.decisions), last.total);
    }
}

template <class Game>
bool expect_perft(const char* what, const typename Game::State& root, std::initializer_list<i64> wanted) {
    bool good = true;
    int depth = 0;
    for (i64 count : wanted) {
        ++depth;
        good &= expect(std::string(what) + " perft " + std::to_string(depth), perft(Game{}, root, depth), count);
    }
    return good;
}

int check() {
    bool good = expect_perft<Ewn>("EWN", Ewn::fixed_start(), {6, 18, 108, 324, 1944, 6162, 36972, 117369});
    good &= expect_perft<Pig<6>>("Pig, one die", pig_start<6>(), {6, 16, 76, 236, 996, 3356, 13316, 46876});
    good &= expect_perft<Pig<11>>("Pig, 11 outcomes", pig_start<11>(), {11, 40, 278, 1276, 7556, 38080, 212168});
    good &= expect_perft<Pig<36>>("Pig, 36 outcomes", pig_start<36>(), {36, 446, 6706, 96066, 1392026});
    good &= expect_perft<KalahForWin>("Kalah", KalahForWin::start(), {6, 35, 185, 942, 4690, 23233, 114430, 563055});
    good &= expect_perft<Kalah<4, 3, true>>("Kalah(4,3)", Kalah<4, 3, true>::start(),
                                            {4, 15, 50, 158, 488, 1510, 4637, 14102});
    good &= expect_perft<CantStop<2>>("Can't Stop", CantStop<2>::start(), {126, 231, 462, 58212, 130356});
    good &= expect_perft<ConnectFour>("Connect Four", ConnectFour::start(), {7, 49, 343, 2401, 16807, 117649, 823536});
    good &= expect_perft<TicTacToe>("Tic-tac-toe", TicTacToe::start(),
                                    {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872});
    good &= expect("Kalah(3,2), first player's margin", alpha_beta<Kalah<3, 2, true>>(100).value * 12 / WIN, 4, 1e-9);
    good &= expect("Tic-tac-toe by UCT", tic_tac_toe_uct(1000000, SEED).mean, 0, 0.05);
    const Found ewn = ewn_expectimax(), pig = pig_expectimax(), many = pig_expectimax_36();
    good &= expect("EWN expectimax value", ewn.value, 275 / 27.0, 1e-9);
    good &= expect("EWN expectimax nodes", ewn.nodes, 489593);
    good &= expect("EWN Star1 value", ewn_star1().value, ewn.value, 1e-9);
    good &= expect("Pig expectimax value", pig.value, 6.997488314789411, 1e-9);
    good &= expect("Pig expectimax nodes", pig.nodes, 4008421);
    good &= expect("Pig Star1 value", pig_star1().value, pig.value, 1e-9);
    good &= expect("Pig, 36 outcomes, value", many.value, 6.189117036275, 1e-9);
    good &= expect("Pig, 36 outcomes, nodes", many.nodes, 16993311);
    const Played games = ewn_random_games(1000000, SEED);
    good &= expect("EWN random games, mean decisions", games.decisions / 1e6, 21.356, 0.03);
    good &= expect("EWN random games, first player's wins", (1 + games.total / 1e6 / WIN) / 2, 0.5322, 0.003);
    return good ? 0 : 1;
}

int main(int argc, char** argv) { return run_program(argc, argv, MEASURES, run, check); }
