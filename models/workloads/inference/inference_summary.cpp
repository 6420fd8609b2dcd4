#include "models/workloads/inference/inference_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/text/format_seconds.hpp"

namespace heddle {
namespace {

std::string row_of(const std::string& name, const step_figures& own, const step_figures& first) {
  const double factor = own.allreduce() > 0 ? first.allreduce() / own.allreduce() : 1;
  return fmt::format("  {:<12}{:>15}{:>14.1f} %{:>10.3f} x{:>18.2f} x{:>10.3f} x\n", name,
                     format_seconds(own.time), 100 * own.share(), first.time / own.time, factor,
                     amdahl_gain(first.share(), factor));
}

}  // namespace

double amdahl_gain(double share, double factor) {
  return 1 / (1 - share + share / factor);
}

void inference_summary::expect(std::vector<std::string> algorithms, std::size_t steps) {
  algorithms_ = std::move(algorithms);
  steps_ = steps;
  figures_.assign(algorithms_.size() * steps_, {});
}

void inference_summary::add(std::size_t algorithm, std::size_t step, const step_figures& figures) {
  figures_[algorithm * steps_ + step] = figures;
}

step_figures inference_summary::tpot(std::size_t algorithm) const {
  step_figures mean;
  for (std::size_t step = 1; step < steps_; ++step) {
    mean.time += of(algorithm, step).time;
    mean.compute += of(algorithm, step).compute;
  }
  const double decoded = static_cast<double>(std::max<std::size_t>(steps_, 2) - 1);
  mean.time /= decoded;
  mean.compute /= decoded;
  return mean;
}

double inference_summary::gain(std::size_t algorithm, std::size_t step) const {
  const double own = of(algorithm, step).time;
  return own > 0 ? of(0, step).time / own : 0;
}

bool inference_summary::has(std::size_t step) const {
  if (step >= steps_ || algorithms_.empty()) return false;
  for (std::size_t i = 0; i < algorithms_.size(); ++i)
    if (!(of(i, step).time > 0)) return false;
  return true;
}

std::string inference_summary::table() const {
  const auto heading = [](const char* what) {
    return fmt::format("  {:<12}{:>15}{:>16}{:>12}{:>20}{:>12}\n", what, "", "of all-reduces",
                       "faster", "all-reduces faster", "Amdahl");
  };
  std::string text;
  if (has(0)) {
    text += heading("TTFT");
    for (std::size_t i = 0; i < algorithms_.size(); ++i)
      text += row_of(algorithms_[i], ttft(i), ttft(0));
  }
  if (steps_ == 1 || !has(steps_ - 1)) return text;
  text += heading("TPOT");
  for (std::size_t i = 0; i < algorithms_.size(); ++i)
    text += row_of(algorithms_[i], tpot(i), tpot(0));
  return text;
}

std::string inference_summary::sensitivity(const compute_at& compute, double simulated) const {
  constexpr std::array<double, 4> efficiencies = {0.5, 0.6, 0.7, 0.8};
  if (algorithms_.size() < 2 || table().empty()) return {};
  std::string text = "faster, by the efficiency of kernels:";
  for (const double each : efficiencies) text += fmt::format("{:>10.1f}", each);
  text += '\n';
  const auto line = [&](const std::string& name, std::size_t first, std::size_t last,
                        std::size_t algorithm) {
    text += fmt::format("  {:<35}", name);
    for (const double efficiency : efficiencies) {
      double own = 0, before = 0;
      for (std::size_t step = first; step <= last; ++step) {
        const double added = compute(step, efficiency) - compute(step, simulated);
        own += of(algorithm, step).time + added;
        before += of(0, step).time + added;
      }
      text += fmt::format("{:>8.3f} x", before / own);
    }
    text += '\n';
  };
  for (std::size_t i = 1; i < algorithms_.size(); ++i) {
    if (has(0)) line("TTFT " + algorithms_[i], 0, 0, i);
    if (steps_ > 1 && has(steps_ - 1)) line("TPOT " + algorithms_[i], 1, steps_ - 1, i);
  }
  return text;
}

}  // namespace heddle
