// specialised.cpp: what one core can do. Hand-written C++ for two games, EinStein wuerfelt nicht! (EWN) and Pig:
// uniformly random games, full-width expectimax and Star1, each written for its game and its depth alone. For what the
// logic of the generic searches costs in C++, see yardstick.cpp.
//
//   g++ -O3 -march=native -std=c++17 -o specialised specialised.cpp
//   ./specialised [--seconds S] [MEASURE...]   one JSON object on stdout; S (default 1) is the time for each measure
//   ./specialised --check                      perft counts and values against known ones; exit status 1 if wrong
//
// Inside, every position is seen from the side to move and every value is the mover's (negamax; the result is printed
// for player 0, utilities in [-100, 100]). The state of a game is a few words that live in registers, so the copy made
// for a child costs nothing; depths are template parameters; leaves are evaluated in the loop of their parent.
#pragma GCC optimize("fp-contract=off")                 // plain IEEE arithmetic, so that node counts can be compared
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

#include "program.hpp"

using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t;
using u64 = std::uint64_t; using i64 = std::int64_t;

constexpr double WIN = 100.0, NONE = -2 * WIN;          // NONE: less than every value

struct Random {                                         // wyrand: one addition and one wide product per 64 bits
    u64 x;
    u64 next() {
        x += 0xA0761D6478BD642Full;
        const unsigned __int128 product = static_cast<unsigned __int128>(x) * (x ^ 0xE7037ED1A0B428DBull);
        return static_cast<u64>(product >> 64) ^ static_cast<u64>(product);
    }
};

struct Game { int decisions; bool first_won; };

inline u32 scaled(u32 random, u32 n) { return static_cast<u64>(random) * n >> 32; }     // 0 .. n-1

// ---------------------------------------------------------------------------------------------------------------- EWN
// Each side counts the squares 0..24 from its own corner, row by row, and heads for 24: square q of one side is square
// 24 - q of the other. Thus one set of tables serves both sides, and a turn ends by swapping them.
namespace ewn {
constexpr int SQUARES = 25, GOAL = 24, NO_SQUARE = 25, CUBES = 6, NO_CUBE = 6, FACES = 6;
constexpr int PICKS = 12;                               // a multiple of every number of legal moves (1, 2, 3, 4, 6)
constexpr u64 EACH = 0x010101010101, HIGH = 0x80 * EACH;  // a one, and the high bit, in the byte of each cube
constexpr u32 ALL = 63;                                 // all six cubes
constexpr int DECISIONS = 5;                            // depth of the searches that are measured
constexpr int ROOT_DIE = 2;                             // face 3

struct Side {
    u64 cubes;      // byte k: the square of cube k, with bit 6 set once it is captured; byte 6: NO_SQUARE
    u32 captured;   // the captured cubes as bits
    u32 cells;      // the occupied squares as bits, those nearest to the goal lowest
};

struct State { Side mine, theirs; };

inline u32 pick_index(u32 square, u32 other, u32 i) { return (square << 9) + ((other << 4) + i); }

struct Tables {
    u16 choice[64][8];          // [captured cubes, die] -> offsets in `cubes` of the cubes that may move, a byte each
    u8 target[32][4];           // [square] -> its one or three successors: diagonal, vertical, horizontal
    u8 moves[32];               // [square] -> how many
    u8 pick[32 * 32 * 16];      // [pick_index(square, other square, 0..11)] -> target, plus 32 if of the other cube
    u32 cell[32];               // [square] -> its bit in `cells`
    double distance[32];        // [lowest bit of `cells`] -> 25 times the steps to the goal
    Tables();
};

Tables::Tables() {
    std::memset(this, 0, sizeof *this);
    for (int captured = 0; captured < 64; ++captured)
        for (int die = 0; die < FACES; ++die) {
            auto alive = [&](int k) { return !(captured >> k & 1); };
            int low = die, high = die;
            while (low >= 0 && !alive(low)) --low;
            while (high < FACES && !alive(high)) ++high;
            int first = low >= 0 ? low : high, second = low >= 0 && high < FACES && high != low ? high : NO_CUBE;
            choice[captured][die] = 8 * first | 8 * second << 8;
        }
    int bit = 0;
    for (int steps = 0; steps < 5; ++steps)
        for (int q = 0; q < SQUARES; ++q)
            if (4 - std::min(q / 5, q % 5) == steps) {
                distance[bit] = WIN / 4 * steps;
                cell[q] = 1u << bit++;
            }
    for (int q = 0; q < SQUARES; ++q)
        for (int step : {6, 5, 1})
            if ((step == 1 || q / 5 < 4) && (step == 5 || q % 5 < 4))
                target[q][moves[q]++] = q + step;
    for (int a = 0; a < SQUARES; ++a)
        for (int b = 0; b <= NO_SQUARE; ++b)
            for (int i = 0, n = moves[a] + moves[b]; i < PICKS && n > 0; ++i) {
                int m = i % n;
                pick[pick_index(a, b, i)] = m < moves[a] ? target[a][m] : 32 | target[b][m - moves[a]];
            }
}

const Tables T;

inline u32 square(const Side& s, u32 offset) { return s.cubes >> (offset & 63) & 31; }
inline u32 choices(const Side& s, int die) { return T.choice[s.captured][die]; }

inline u32 packed(u64 high_bits) {                      // the high bit of byte k -> bit k
#ifdef __BMI2__
    return __builtin_ia32_pext_di(high_bits, HIGH);
#else
    return (high_bits >> 7) * 0x0102040810204080 >> 56;
#endif
}

// Captures whatever stands on a square. All bytes are below 0x80, so the high bit of 0x80 - (byte ^ square) is set
// only where they are equal.
inline void capture(Side& s, u32 square) {
    const u64 hit = (HIGH - (s.cubes ^ EACH * square)) & HIGH;
    s.cubes |= hit >> 1;
    s.captured |= packed(hit);
    s.cells &= ~T.cell[square];
}

// The cube at `offset` moves to square `to`; after that the other side is to roll, unless the game is over.
inline void play(State& s, u32 offset, u32 to) {
    offset &= 63;
    s.mine.cells &= ~T.cell[square(s.mine, offset)];
    capture(s.mine, to);
    capture(s.theirs, GOAL - to);
    s.mine.cubes = (s.mine.cubes & ~(u64{255} << offset)) | u64{to} << offset;
    s.mine.cells |= T.cell[to];
}

// Has the side that just moved won? Two equal tests, each on what its caller needs anyway: from an inlined play() the
// compiler drops what nobody reads, that is `cells` in a random game, `cubes` and `captured` at a leaf.
inline bool won_in_game(const State& s, u32 to) { return (to == GOAL) | (s.theirs.captured == ALL); }
inline bool won_in_search(const State& s, u32 to) { return (to == GOAL) | (s.theirs.cells == 0); }

inline double nearest(const Side& s) { return T.distance[__builtin_ctz(s.cells)]; }
inline double heuristic(const State& s) { return nearest(s.theirs) - nearest(s.mine); }     // s: just moved, not over

State start() {
    Side side{static_cast<u64>(NO_SQUARE) << 8 * NO_CUBE, 0, 0};
    const u64 camp[CUBES] = {0, 1, 2, 5, 6, 10};
    for (int k = 0; k < CUBES; ++k) {
        side.cubes |= camp[k] << 8 * k;
        side.cells |= T.cell[camp[k]];
    }
    return {side, side};
}

// Calls visit(offset, to) for every legal move, in order, until it returns false.
template <class Visit> inline void each_move(const State& s, int die, Visit visit) {
    for (u32 two = choices(s.mine, die), j = 0; j < 2; ++j, two >>= 8) {
        const u32 here = square(s.mine, two);
        for (int m = 0; m < T.moves[here]; ++m)
            if (!visit(two, T.target[here][m])) return;
    }
}

inline Game random_game(State s, Random& random) {
    for (int plies = 1;; ++plies) {
        const u64 r = random.next();
        const u32 two = choices(s.mine, scaled(r >> 32, FACES));
        const u32 move = T.pick[pick_index(square(s.mine, two), square(s.mine, two >> 8), scaled(r, PICKS))];
        play(s, two >> (move >> 2 & 8), move & 31);
        if (won_in_game(s, move & 31)) return {plies, plies % 2 == 1};
        std::swap(s.mine, s.theirs);
    }
}

template <int DEPTH> double expectimax(const State& s, int die, i64& nodes);

template <int DEPTH> double expectimax_chance(const State& s, i64& nodes) {
    double total = 0;
    ++nodes;
    for (int die = 0; die < FACES; ++die) total += 1.0 / FACES * expectimax<DEPTH>(s, die, nodes);
    return total;
}

template <int DEPTH> double expectimax(const State& s, int die, i64& nodes) {
    double best = NONE;
    i64 visited = 1;
    each_move(s, die, [&](u32 offset, u32 to) {
        State child = s;
        play(child, offset, to);
        double value;
        if (won_in_search(child, to)) { ++visited; value = WIN; }
        else if constexpr (DEPTH == 1) { ++visited; value = heuristic(child); }
        else value = -expectimax_chance<DEPTH - 1>({child.theirs, child.mine}, nodes);
        best = std::max(best, value);
        return true;
    });
    nodes += visited;
    return best;
}

template <int DEPTH> double star1(const State& s, int die, double alpha, double beta, i64& nodes);

// Values tie often here, so rounding decides some cuts: the number of nodes depends on how a and b are computed.
template <int DEPTH> double star1_chance(const State& s, double alpha, double beta, i64& nodes) {
    constexpr double chance = 1.0 / FACES;
    double total = 0, upper = WIN, lower = -WIN;        // the sum so far, and bounds of the whole sum
    ++nodes;
    for (int die = 0; die < FACES; ++die) {
        const double a = (alpha - upper + chance * WIN) / chance, b = (beta - lower - chance * WIN) / chance;
        const double value = star1<DEPTH>(s, die, std::max(a, -WIN), std::min(b, WIN), nodes);
        total += chance * value;
        upper += chance * (value - WIN);
        lower += chance * (value + WIN);
        if (value <= a) return upper;
        if (value >= b) return lower;
    }
    return total;
}

template <int DEPTH> double star1(const State& s, int die, double alpha, double beta, i64& nodes) {
    double best = NONE;
    i64 visited = 1;
    each_move(s, die, [&](u32 offset, u32 to) {
        State child = s;
        play(child, offset, to);
        double value;
        if (won_in_search(child, to)) { ++visited; value = WIN; }
        else if constexpr (DEPTH == 1) { ++visited; value = heuristic(child); }
        else value = -star1_chance<DEPTH - 1>({child.theirs, child.mine}, -beta, -std::max(alpha, best), nodes);
        best = std::max(best, value);
        return best < beta;
    });
    nodes += visited;
    return best;
}

i64 perft(const State& s, int depth) {                  // s is about to roll
    if (depth == 1) return FACES;
    i64 count = 0;
    for (int die = 0; die < FACES; ++die)
        each_move(s, die, [&](u32 offset, u32 to) {
            State child = s;
            play(child, offset, to);
            count += depth == 2 ? 1 : won_in_search(child, to) ? 0 : perft({child.theirs, child.mine}, depth - 2);
            return true;
        });
    return count;
}
}  // namespace ewn

// ---------------------------------------------------------------------------------------------------------------- Pig
namespace pig {
constexpr int GOAL = 100, DECISIONS_11 = 5, DECISIONS_36 = 4;

struct State { int mine, theirs, pot; };
struct Outcome { int points, keep; double chance; };    // no points: the turn is lost, and without `keep` the score too

template <int N> struct Dice {                          // 36 ordered pairs, or these merged to 11 distinct outcomes
    Outcome outcomes[N];
    Dice() {
        const int weight[11] = {10, 1, 1, 2, 3, 4, 5, 4, 3, 2, 1};
        for (int o = 0; o < N; ++o) {
            const int a = o / 6 + 1, b = o % 6 + 1;
            if (N == 36) outcomes[o] = {a == 1 || b == 1 ? 0 : a + b, a + b == 2 ? 0 : -1, 1 / 36.0};
            else outcomes[o] = {o < 2 ? 0 : o + 2, o == 1 ? 0 : -1, weight[o] / 36.0};
        }
    }
};

template <int N> const Dice<N> DICE;

// One die. A step is a roll and the decision after it; a lost turn is ended like a hold, of nothing.
inline Game random_game(Random& random) {
    u32 mine = 0, theirs = 0, pot = 0, first = 1;
    for (int decisions = 0;;) {
        const u64 r = random.next();
        const u32 face = scaled(r >> 32, 6) + 1;
        const u32 survive = -static_cast<u32>(face != 1), end = -(static_cast<u32>(r) >> 31) | ~survive;
        pot = (pot + face) & survive;
        decisions -= static_cast<int>(survive);
        mine += pot & end;
        if (mine >= GOAL) return {decisions, first != 0};
        pot &= ~end;
        first ^= end & 1;
        const u32 change = (mine ^ theirs) & end;
        mine ^= change;
        theirs ^= change;
    }
}

inline double heuristic(int own, int pot, int opponent) {
    return std::max(-WIN, std::min(WIN, static_cast<double>(own + pot - opponent)));
}

template <int N, int DEPTH> double decide(const State& s, i64& nodes);

// A roll, with DEPTH more decisions after it.
template <int N, int DEPTH> double roll(const State& s, i64& nodes) {
    double total = 0;
    nodes += DEPTH == 0 ? N + 1 : 1;
    for (const Outcome& o : DICE<N>.outcomes) {
        double value;
        if constexpr (DEPTH == 0) value = heuristic(s.mine & o.keep, (s.pot + o.points) & -(o.points > 0), s.theirs);
        else if (o.points) value = decide<N, DEPTH>({s.mine, s.theirs, s.pot + o.points}, nodes);
        else value = -roll<N, DEPTH - 1>({s.theirs, s.mine & o.keep, 0}, nodes);
        total += o.chance * value;
    }
    return total;
}

template <int N, int DEPTH> double decide(const State& s, i64& nodes) {
    ++nodes;
    const double rolled = roll<N, DEPTH - 1>(s, nodes);
    if (s.mine + s.pot >= GOAL) { ++nodes; return WIN; }
    return std::max(rolled, -roll<N, DEPTH - 1>({s.theirs, s.mine + s.pot, 0}, nodes));
}

template <int N> i64 perft(const State& s, bool rolling, int depth) {
    if (depth == 0) return 1;
    if (!rolling) {
        const i64 held = s.mine + s.pot >= GOAL ? depth == 1 : perft<N>({s.theirs, s.mine + s.pot, 0}, true, depth - 1);
        return held + perft<N>(s, true, depth - 1);
    }
    i64 count = 0;
    for (const Outcome& o : DICE<N>.outcomes) {
        const State next = o.points ? State{s.mine, s.theirs, s.pot + o.points} : State{s.theirs, s.mine & o.keep, 0};
        count += perft<N>(next, o.points == 0, depth - 1);
    }
    return count;
}
}  // namespace pig

// ----------------------------------------------------------------------------------------------------------- Measures
struct Search { double value; i64 nodes; };

Search ewn_expectimax() {
    Search done{0, 0};
    done.value = ewn::expectimax<ewn::DECISIONS>(ewn::start(), ewn::ROOT_DIE, done.nodes);
    return done;
}

Search ewn_star1() {
    Search done{0, 0};
    done.value = ewn::star1<ewn::DECISIONS>(ewn::start(), ewn::ROOT_DIE, -WIN, WIN, done.nodes);
    return done;
}

template <int N, int DEPTH> Search pig_expectimax() {
    Search done{0, 0};
    done.value = pig::decide<N, DEPTH>({0, 0, 8}, done.nodes);
    return done;
}

struct Games {
    i64 games = 0, decisions = 0, first_wins = 0;
    double mean_decisions() const { return static_cast<double>(decisions) / games; }
    double first_player_wins() const { return static_cast<double>(first_wins) / games; }
};

template <class Play> void random_games(i64 n, Random& random, Games& sum, Play play) {
    Random local = random;                              // in a register during the games
    for (i64 i = 0; i < n; ++i) {
        const Game game = play(local);
        sum.decisions += game.decisions;
        sum.first_wins += game.first_won;
    }
    sum.games += n;
    random = local;
}

void ewn_random_games(i64 n, Random& random, Games& sum) {
    random_games(n, random, sum, [start = ewn::start()](Random& local) { return ewn::random_game(start, local); });
}

void pig1_random_games(i64 n, Random& random, Games& sum) { random_games(n, random, sum, pig::random_game); }

struct Measure {
    const char* name;
    Search (*search)();
    void (*play)(i64, Random&, Games&);
};

const Measure MEASURES[] = {
    {"ewn_random_games", nullptr, ewn_random_games},
    {"ewn_expectimax", ewn_expectimax, nullptr},
    {"ewn_star1", ewn_star1, nullptr},
    {"pig1_random_games", nullptr, pig1_random_games},
    {"pig_expectimax", pig_expectimax<11, pig::DECISIONS_11>, nullptr},
    {"pig_expectimax_36", pig_expectimax<36, pig::DECISIONS_36>, nullptr},
};

void run(const Measure& measure, double seconds) {
    if (measure.search) {
        Search last{};
        const double rate = best_rate(seconds, [&] { last = measure.search(); return last.nodes; });
        std::printf("\"%s\": {\"per_second\": %.1f, \"unit\": \"nodes\", \"nodes\": %lld, \"value\": %.15g}",
                    measure.name, rate, static_cast<long long>(last.nodes), last.value);
    } else {
        Random random{12345};
        Games sum;
        const double rate = best_rate(seconds, [&] { measure.play(20000, random, sum); return 20000; });
        std::printf("\"%s\": {\"per_second\": %.1f, \"unit\": \"games\", \"games\": %lld, \"mean_decisions\": %.4f, "
                    "\"first_player_wins\": %.5f}",
                    measure.name, rate, static_cast<long long>(sum.games), sum.mean_decisions(),
                    sum.first_player_wins());
    }
}

template <class Count> bool expect_perft(const std::string& what, Count count, std::initializer_list<double> wanted) {
    bool good = true;
    int depth = 0;
    for (double leaves : wanted)
        ++depth, good &= expect(what + " perft " + std::to_string(depth), count(depth), leaves);
    return good;
}

int check() {
    bool good = expect_perft("EWN", [](int depth) { return ewn::perft(ewn::start(), depth); },
                             {6, 18, 108, 324, 1944, 6162, 36972, 117369});
    good &= expect_perft("Pig 11", [](int depth) { return pig::perft<11>({0, 0, 0}, true, depth); },
                         {11, 40, 278, 1276, 7556, 38080});
    good &= expect_perft("Pig 36", [](int depth) { return pig::perft<36>({0, 0, 0}, true, depth); },
                         {36, 446, 6706, 96066});
    const Search wide = ewn_expectimax(), many = pig_expectimax<36, 4>(), few = pig_expectimax<11, 4>();
    good &= expect("EWN expectimax value", wide.value, 275 / 27.0, 1e-9);
    good &= expect("EWN expectimax nodes", wide.nodes, 489593);
    good &= expect("EWN Star1 value", ewn_star1().value, wide.value, 1e-9);
    good &= expect("Pig 36 value", many.value, 6.189117036275, 1e-9);
    good &= expect("Pig 36 nodes", many.nodes, 16993311);
    good &= expect("Pig 11 value", few.value, many.value, 1e-9);
    good &= expect("Pig 11 nodes", few.nodes, 200421);
    good &= expect("Pig 11 value, five deep", pig_expectimax<11, 5>().value, 6.997488314789411, 1e-9);
    Random random{12345};
    Games sum;
    ewn_random_games(1000000, random, sum);
    good &= expect("EWN random games, mean plies", sum.mean_decisions(), 21.356, 0.03);
    good &= expect("EWN random games, first player's wins", sum.first_player_wins(), 0.5322, 0.003);
    return good ? 0 : 1;
}

int main(int argc, char** argv) { return run_program(argc, argv, MEASURES, run, check); }
