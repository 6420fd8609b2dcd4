// All steps of a workload side by side: what each algorithm of its all-reduces makes of the time to
// the first token (TTFT) and of the time of each further one (TPOT), what Amdahl's law says of it,
// and how much of it hangs on the efficiency of the kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heddle {

struct step_figures {
  double time = 0;     // s, all layers
  double compute = 0;  // s, mean over the ranks
  double allreduce() const { return time - compute; }
  double share() const { return time > 0 ? allreduce() / time : 0; }
};

// What a step gains when its all-reduces alone become faster: 1 / (1 - s + s / f), with their share
// s of the time before and the factor f.
double amdahl_gain(double share, double factor);

class inference_summary {
 public:
  // Algorithms by the names of the netlist.
  void expect(std::vector<std::string> algorithms, std::size_t steps);
  // Step 0 is the prefill.
  void add(std::size_t algorithm, std::size_t step, const step_figures& figures);

  const step_figures& of(std::size_t algorithm, std::size_t step) const {
    return figures_[algorithm * steps_ + step];
  }
  step_figures ttft(std::size_t algorithm) const { return of(algorithm, 0); }
  step_figures tpot(std::size_t algorithm) const;  // mean of the decoded tokens
  // Whether all algorithms have done it.
  bool has(std::size_t step) const;
  // Over the first algorithm.
  double gain(std::size_t algorithm, std::size_t step) const;

  // Seconds of kernels of a step at an efficiency.
  using compute_at = std::function<double(std::size_t step, double efficiency)>;
  std::string table() const;
  // Gains where kernels reach 0.5 to 0.8 of the peak and all else takes what it took at the
  // efficiency of the run.
  std::string sensitivity(const compute_at& compute, double efficiency) const;

 private:
  std::vector<std::string> algorithms_;
  std::size_t steps_ = 0;
  std::vector<step_figures> figures_;
};

}  // namespace heddle
