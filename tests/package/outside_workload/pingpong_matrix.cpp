// A kind of workload from outside Heddle: how long a message takes between every two ranks.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "pingpong_job.h"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/workload_kind.hpp"

namespace {

using heddle::fs_t;
using heddle::verdict;

using ball = std::array<std::uint8_t, BALL_BYTES>;
using latency_matrix = std::vector<std::vector<double>>;  // s, from row to column

// One pair.
class pingpong final : public heddle::workload_job {
 public:
  pingpong(const heddle::workload_context& context, const pingpong_job& job,
           latency_matrix& latencies)
      : context_(context), job_(job), latencies_(latencies) {
    for (std::size_t i = 0; i < ball_.size(); ++i)
      ball_[i] = static_cast<std::uint8_t>(job.number + i);
  }

  void post() override {
    const std::uint64_t place = heddle::memory_of(context_.cores).job;
    for (heddle::rank_core* each : context_.cores.ranks)
      each->debug_write(each->resources().window + place, &job_, sizeof job_);
    heddle::rank_core& first = *context_.cores.ranks[job_.first];
    first.debug_write(first.resources().window + job_.data, ball_.data(), ball_.size());
  }

  verdict check(const heddle::job_times&) override {
    if (!context_.sim.settings().carries_data) return verdict::not_checked;
    heddle::rank_core& second = *context_.cores.ranks[job_.second];
    ball got{};
    second.debug_read(second.resources().window + job_.data, got.data(), got.size());
    if (got == ball_) return verdict::verified;
    context_.sim.service<heddle::run_control>().fail("wrong ball at " + second.rank_path());
    return verdict::failed;
  }

  void describe(heddle::workload_result& result) const override {
    const double latency =
        heddle::seconds(result.rank_times[job_.first]) / (2.0 * static_cast<double>(job_.rounds));
    latencies_[job_.first][job_.second] = latencies_[job_.second][job_.first] = latency;
    result.name = "pingpong_matrix";
    result.bytes = result.work = BALL_BYTES;
    result.size = result.size_phrase = fmt::format("{}, {}", job_.first, job_.second);
    result.size_heading = "ranks";
    result.subject = fmt::format("ping-pong of {} ranks", result.ranks);
    result.cells = {{"latency", 10, heddle::format_duration(static_cast<fs_t>(latency * 1e15))}};
    result.describe = [=, job = job_, matrix = latencies_](nlohmann::ordered_json& row) {
      row["first"] = job.first;
      row["second"] = job.second;
      row["latency_s"] = latency;
      row["matrix_s"] = matrix;
    };
  }

 private:
  const heddle::workload_context& context_;
  const pingpong_job job_;
  latency_matrix& latencies_;
  ball ball_{};
};

// All pairs, one after the other.
class matrix_workload final : public heddle::workload {
 public:
  explicit matrix_workload(std::uint32_t rounds) : rounds_(rounds) {}

  void fit(const heddle::workload_context& context) override {
    context_ = &context;
    const std::size_t ranks = context.cores.ranks.size();
    if (ranks < 2)
      throw heddle::user_error(context.settings.ranks_place, "a ping-pong needs two ranks");
    latencies_.assign(ranks, std::vector<double>(ranks, 0));
    for (std::uint32_t second = 1; second < ranks; ++second)
      for (std::uint32_t first = 0; first < second; ++first) pairs_.emplace_back(first, second);
  }

  std::uint32_t jobs() const override { return static_cast<std::uint32_t>(pairs_.size()); }

  std::unique_ptr<heddle::workload_job> prepare(std::uint32_t index,
                                                std::uint32_t number) override {
    const auto [first, second] = pairs_[index];
    const std::uint64_t data = heddle::memory_of(context_->cores).data;
    return std::make_unique<pingpong>(*context_, pingpong_job{number, first, second, rounds_, data},
                                      latencies_);
  }

  std::vector<std::string> algorithms() const override { return {}; }

  std::string note() const override {
    std::string text = "latency, from row to column:\n";
    for (const std::vector<double>& row : latencies_) {
      for (const double each : row)
        text += fmt::format("{:>10}", heddle::format_duration(static_cast<fs_t>(each * 1e15)));
      text += "\n";
    }
    return text;
  }

 private:
  const std::uint32_t rounds_;
  const heddle::workload_context* context_ = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  latency_matrix latencies_;
};

HEDDLE_REGISTER_WORKLOAD(pingpong_matrix,
                         {"pingpong_matrix",
                          "how long a message takes between every two ranks",
                          "pingpong_matrix",
                          {},
                          [](heddle::yaml_mapping& mapping, const heddle::workload_settings&) {
                            const auto rounds = mapping.optional("rounds");
                            return std::make_unique<matrix_workload>(
                                rounds ? static_cast<std::uint32_t>(
                                             heddle::as_integer(*rounds, 1, 1000))
                                       : 1);
                          }});

}  // namespace
