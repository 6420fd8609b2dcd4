#include "models/workloads/collective/time_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/cpu/native_core.hpp"
#include "models/workloads/collective/message_protocol.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/boot_image.hpp"

namespace heddle {
namespace {

// Measured with yaml/ring_allreduce.yaml, yaml/leaf_spine.yaml and stars of 3 to 64 ranks, with
// links of 100 MB/s to 400 GB/s and latencies of 50 ns to 50 us.
constexpr double core_s = 0.8e-6;              // of a round: doorbell, memory, polls
constexpr double engine_s = 0.6e-6;            // the same of a chain
constexpr double further_message_s = 0.58e-6;  // each beyond the first one of a round
constexpr double adding_rate = 1e12;           // bytes per second, of operands that nothing hides
// To write data, to know that they are there, and to write the counter behind them. So many
// counters of a channel are under way at once; each further one waits for an answer.
constexpr double acknowledged_ways = 3, counters_of_channel = 2;
// The times above are those of native cores on which a load takes 20 ns. The work of a core whose
// loads take less is shorter in proportion. A slower core needs the excess of about three loads
// more, measured with yaml/nvls_h100.yaml, where a load takes 150 ns.
constexpr double measured_load_s = 20e-9, slow_loads = 3;

// The ways of the instruction or request, the data and the signal, and the rest; measured with
// yaml/scin_dgx8.yaml, yaml/nvls_h100.yaml and yaml/tree_allreduce.yaml: 2.0, 4.2 and 1.8 us before
// the data.
constexpr double hardware_ways = 4, hardware_s = 0.7e-6;
// Of an instruction that rank 0 writes across the fabric first; measured with yaml/scin_dgx8.yaml.
constexpr double on_demand_ways = 8, on_demand_s = 2e-6;

// Of the measured time, what this core takes.
double work_of(const rank_core& core, double measured_s) {
  const auto* const native = dynamic_cast<const native_core*>(&core);
  if (!native) return measured_s;
  const double load_s = seconds(native->access_cost());
  const double slower_s = std::max(0.0, load_s - measured_load_s);
  return measured_s * std::min(1.0, load_s / measured_load_s) + slow_loads * slower_s;
}

}  // namespace

time_estimate::time_estimate(const collective_config& config, const workload_cores& cores,
                             simulation& sim)
    : config_(config),
      cores_(cores),
      sim_(sim),
      net_(sim.service<fabric>()),
      paths_(sim.service<rank_paths>()),
      wires_(rank_wires_of(cores, sim)) {}

double time_estimate::of(const collective_algorithm& by, const collective_case& job) const {
  return by.is_software() ? of_software(by, job) : of_hardware(by, job);
}

// Rounds that overlap hide the shorter of waiting and sending behind the longer, most of it; so do
// the messages that a rank sends in one round.
double time_estimate::of_software(const collective_algorithm& by,
                                  const collective_case& job) const {
  if (!by.rounds || job.ranks < 2) return 0;
  const bool is_acknowledged =
      protocol_of(config_, by, job, cores_, sim_) == flag_protocol::acknowledged;
  const double ways = is_acknowledged ? acknowledged_ways : 1;
  const std::vector<message_round> rounds = by.rounds(job);
  if (rounds.empty()) return 0;
  const rank_core& core = *cores_.ranks.front();
  const auto channels = static_cast<double>(channels_of(core));
  double waiting = 0, posting = 0, wires = 0, sent = 0;
  for (const message_round& each : rounds) {
    const round_cost cost = cost_of(each, job);
    const double work =
        job.is_chained ? engine_s : work_of(core, core_s) + each.more_ways * cost.latency;
    const double turns = std::max(0.0, std::ceil(each.of_rank / channels) - counters_of_channel);
    waiting += each.times * (ways * cost.latency + work);
    if (is_acknowledged) waiting += each.times * turns * 2 * cost.latency;
    posting += each.times * (each.of_rank - 1) * work_of(core, further_message_s);
    wires += each.times * cost.wires;
    for (const rank_message& message : each.messages) sent += each.times * message.share;
  }
  const auto bytes = static_cast<double>(job.bytes);
  wires *= bytes;
  if (by.overlaps_rounds && !job.is_chained) return std::hypot(waiting, wires) + posting;
  // An all-reduce adds what half of its messages bring.
  const double added = !job.adds() ? 0 : job.collective == BOOT_ALLREDUCE ? 0.5 : 1;
  const double adding = added * bytes * sent / static_cast<double>(job.ranks) / adding_rate;
  return waiting + std::hypot(posting, wires) + adding;
}

double time_estimate::of_hardware(const collective_algorithm& by,
                                  const collective_case& job) const {
  const double rate = ceiling_of(by, job, cores_, sim_);
  if (rate == 0) return 0;
  const double latency = cost_of(round_to_neighbor(job.ranks, 1, 0), job).latency;
  const double data = hardware_ways * latency + hardware_s + static_cast<double>(job.bytes) / rate;
  if (!config_.is_on_demand || !by.has_streams) return data;
  const bool is_cut = job.collective == BOOT_REDUCE_SCATTER || job.collective == BOOT_ALLGATHER;
  const double instructions = is_cut ? static_cast<double>(job.ranks) : 1;
  return data + instructions * (on_demand_ways * latency + on_demand_s);
}

time_estimate::round_cost time_estimate::cost_of(const message_round& round,
                                                 const collective_case& job) const {
  constexpr std::size_t most_paths = 4096, most_ranks = 256;
  const bool is_large = round.messages.size() > most_paths || job.ranks > most_ranks;
  return {latency_of(round, job), is_large ? busiest_rank(round, job) : busiest_link(round, job)};
}

double time_estimate::latency_of(const message_round& round, const collective_case& job) const {
  constexpr std::size_t most_samples = 64;
  const std::size_t stride = 1 + round.messages.size() / most_samples;
  double sum = 0;
  int samples = 0;
  for (std::size_t i = 0; i < round.messages.size(); i += stride, ++samples)
    if (const rank_path* const path = path_of(round.messages[i], job)) sum += path->latency;
  return samples > 0 ? sum / samples : 0;
}

double time_estimate::busiest_link(const message_round& round, const collective_case& job) const {
  std::vector<double> carried;  // by link
  for (const rank_message& each : round.messages) {
    const rank_path* const path = path_of(each, job);
    if (!path) continue;
    carried.resize(paths_.links());
    for (const shared_link& link : path->links) carried[link.number] += each.share * link.share;
  }
  double longest = 0;
  for (std::size_t link = 0; link < carried.size(); ++link)
    longest = std::max(longest, carried[link] / paths_.rate_of(static_cast<std::uint32_t>(link)));
  return longest * wires_.bytes_of_payload;
}

double time_estimate::busiest_rank(const message_round& round, const collective_case& job) const {
  std::vector<double> sent(job.ranks);
  for (const rank_message& each : round.messages) sent[each.from] += each.share;
  if (wires_.slowest == 0) return 0;
  return *std::max_element(sent.begin(), sent.end()) * wires_.bytes_of_payload / wires_.slowest;
}

const rank_path* time_estimate::path_of(const rank_message& sent,
                                        const collective_case& job) const {
  const auto window_of = [&](std::uint64_t place) {
    return net_.find_window(cores_.ranks[job.groups.rank_of(0, place)]->resources().window);
  };
  const address_window *const from = window_of(sent.from), *const to = window_of(sent.to);
  return from && to ? &paths_.between(net_, from->endpoint, to->endpoint) : nullptr;
}

}  // namespace heddle
