// program.hpp: what the two C++ programs have in common: how they measure, how they check, and their command line.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

// Processor time, which goes on only while this program does.
inline double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best rate of five repeats, each of them calls of work() for a fifth of the time; work returns how much it did.
template <class Work> double best_rate(double seconds, Work work) {
    double best = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double begin = processor_seconds();
        double used = 0, done = 0;
        while (used == 0 || used < seconds / 5) {
            done += static_cast<double>(work());
            used = processor_seconds() - begin;
        }
        best = std::max(best, done / used);
    }
    return best;
}

inline bool expect(const std::string& what, double found, double wanted, double tolerance = 0) {
    const bool good = std::abs(found - wanted) <= tolerance;
    std::printf("%s %s: %.15g, expected %.15g\n", good ? "ok  " : "FAIL", what.c_str(), found, wanted);
    return good;
}

// Run the measures named in the arguments, or all, and print them as one JSON object; or check.
template <class Measures, class Run, class Check>
int run_program(int argc, char** argv, const Measures& measures, Run run, Check check) {
    double seconds = 1;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--check") == 0) return check();
        if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) seconds = std::atof(argv[++i]);
        else wanted.push_back(argv[i]);
    }
    const char* separator = "{";
    for (const auto& measure : measures) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), measure.name) == wanted.end()) continue;
        std::printf("%s", separator);
        run(measure, seconds);
        separator = ",\n";
    }
    std::printf("}\n");
    return 0;
}
