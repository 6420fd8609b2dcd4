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
  double ratio = 0;       // of the two; 0 when there is no floor
  double bar = 0;         // what we hold ourselves to; 0: none
  bool at_least = false;  // the bar is a lower bound
  // Which of the two the bar is for; of the value, in its unit.
  enum class held { ratio, value } holds = held::ratio;

  bool meets_bar() const {
    const double measured = holds == held::ratio ? ratio : value;
    return at_least ? measured >= bar : measured <= bar;
  }
};

struct benchmark {
  std::string name;
  std::function<std::vector<bench_row>()> run;
};

class benchmark_registry {
 public:
  static benchmark_registry& instance();
  void add(benchmark added) { all_.push_back(std::move(added)); }
  std::vector<benchmark> sorted() const;  // by name, numbers in it as such

 private:
  std::vector<benchmark> all_;
};

}  // namespace heddle
