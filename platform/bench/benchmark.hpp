// Speed of the simulator, always beside the floor that the kernel sets in the same run: a ratio
// means the same on every machine. Each benchmark runs in a process of its own, because the kernel
// elaborates once.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace heddle {

struct bench_row {
  std::string name;
  double value = 0;       // ours
  std::string unit;       // "ns", "x"
  double floor = 0;       // what the kernel alone costs, same unit; 0 when there is none
  double ratio = 0;       // value / floor, or the value itself where it is a ratio
  double bar = 0;         // what we hold ourselves to; 0: none
  bool at_least = false;  // the bar is a lower bound
};

struct benchmark {
  std::string name;
  std::function<std::vector<bench_row>()> run;
};

class benchmark_registry {
 public:
  static benchmark_registry& instance();
  void add(benchmark added) { all_.push_back(std::move(added)); }
  std::vector<benchmark> sorted() const;

 private:
  std::vector<benchmark> all_;
};

}  // namespace heddle
