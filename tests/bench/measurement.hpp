// How benchmarks measure: CPU time of this thread, the floor and ours in turns, medians. Other
// work on the machine slows both of a round alike, so their ratio holds still when they do not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/bench/benchmark.hpp"

namespace heddle {

double cpu_seconds();   // of this thread so far
double wall_seconds();  // elapsed, for what several threads do

struct measured_pair {
  double ours = 0, floor = 0;  // medians
  double ratio = 0;            // median of the rounds' ratios
};

// Each function returns the cost of one unit of work. One more round comes first and is not
// counted: it fills caches and pools.
measured_pair measure_in_turns(int rounds, const std::function<double()>& ours,
                               const std::function<double()>& floor);

// A row that costs at most `bar` times the floor.
bench_row cost_row(std::string name, std::string unit, const measured_pair& measured, double bar);

// A row without a floor; it is at most `bar`, if that is not 0.
bench_row plain_row(std::string name, double value, std::string unit, double bar);

// To be held in a static constant of the file that has the benchmark.
bool add_benchmark(std::string name, std::function<std::vector<bench_row>()> run);

}  // namespace heddle
