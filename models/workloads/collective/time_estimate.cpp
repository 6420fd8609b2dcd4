#include "models/workloads/collective/time_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/dma/dma.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "models/workloads/collective/hardware_time.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "models/workloads/collective/message_protocol.hpp"
#include "models/workloads/collective/work_of_core.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/boot_image.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

// Measured with yaml/ring_allreduce.yaml, yaml/leaf_spine.yaml and stars of 3 to 64 ranks, with
// links of 100 MB/s to 400 GB/s and latencies of 50 ns to 50 us.
constexpr double core_s = 0.8e-6;              // of a round: doorbell, memory, polls
constexpr double engine_s = 0.6e-6;            // the same of a chain
constexpr double further_message_s = 0.58e-6;  // each beyond the first one of a round
constexpr double adding_rate = 1e12;           // bytes per second, of operands that nothing hides
// Of pieces that are passed on: the work for a message, and to add what has come; measured with
// yaml/ring_allreduce.yaml at latencies of 10 ns.
constexpr double piece_s = 0.3e-6, adding_s = 0.3e-6;
// A DMA channel begins a message when it knows that the one before is there, so much later.
constexpr double fence_s = 0.2e-6;
// To write data, to know that they are there, and to write the counter behind them.
constexpr double acknowledged_ways = 3;
// Counters of a channel that are under way at once; so many further ones wait for an answer to
// those. The answers to the first ones are there by the end of a round that waits for others, too.
constexpr double counters_of_channel = 2, counters_of_acknowledged_round = 4;

// By DMA engines, which are alike: the counter of an ordered message is a write of its own.
bool writes_counters_apart(const simulation& sim) {
  for (const unit* each : sim.units())
    if (const auto* const engine = dynamic_cast<const dma_engine*>(each))
      return !engine->sends_flags_with_data();
  return true;
}

// How long the first of several messages takes that a rank posts one after the other, each on a
// channel of its own: `alone` if it had the wires for itself. Those that are posted share them.
double first_of(double messages, double alone, double post_s) {
  double time = 0, rest = alone, sharing = 1;
  for (; sharing < messages && rest * sharing > post_s; ++sharing) {
    time += post_s;
    rest -= post_s / sharing;
  }
  return time + rest * sharing;
}

}  // namespace

time_estimate::time_estimate(const collective_config& config, const workload_cores& cores,
                             simulation& sim)
    : config_(config),
      cores_(cores),
      sim_(sim),
      net_(sim.service<fabric>()),
      paths_(sim.service<rank_paths>()),
      bytes_of_payload_(bytes_of_payload(cores, sim)),
      channels_(std::min(config.channels, common_channels(cores))) {}

double time_estimate::of(const collective_algorithm& by, const collective_case& job) const {
  if (job.ranks < 2) return 0;
  const double time = by.is_software() ? of_software(by, job) : of_hardware(by, job);
  return time > 0 ? time + launch_of(*cores_.ranks.front()) : 0;
}

// Rounds that overlap hide the shorter of waiting and sending behind the longer, most of it; so do
// the messages that a rank sends in one round.
double time_estimate::of_software(const collective_algorithm& by,
                                  const collective_case& job) const {
  const std::vector<message_round> rounds =
      by.rounds ? by.rounds(job) : std::vector<message_round>();
  if (rounds.empty()) return 0;
  software how;
  how.is_acknowledged = protocol_of(config_, by, job, cores_, sim_) == flag_protocol::acknowledged;
  how.ways = how.is_acknowledged ? acknowledged_ways : 1;
  collective_case told = job;
  told.is_acknowledged = how.is_acknowledged;
  how.slot = slot_bytes(config_, by, told, sim_.service<link_directory>());
  const rank_core& core = *cores_.ranks.front();
  const bool has_counters = how.is_acknowledged || writes_counters_apart(sim_);
  const double counters_at_once =
      how.is_acknowledged ? counters_of_acknowledged_round : counters_of_channel;
  double passing = 0, waiting = 0, turning = 0, posting = 0, wires = 0, sent = 0;
  for (const message_round& each : rounds) {
    const round_cost cost = cost_of(each, job);
    if (each.is_pipeline) {
      passing += of_pipeline(each, cost, job, how);
      continue;
    }
    const double work =
        job.is_chained ? engine_s : work_of(core, core_s) + each.more_ways * cost.latency;
    const double of_channel = std::ceil(each.of_rank / static_cast<double>(channels_));
    const double turns = std::ceil((of_channel - counters_at_once) / counters_of_channel);
    waiting += each.times * (how.ways * cost.latency + work);
    if (has_counters) turning += each.times * std::max(0.0, turns) * 2 * cost.latency;
    posting += each.times * (each.of_rank - 1) * work_of(core, further_message_s);
    wires +=
        each.times * std::max(cost.wires, by.overlaps_rounds ? of_pieces(each, cost, job, how) : 0);
    for (const rank_message& message : each.messages) sent += each.times * message.share;
  }
  const auto bytes = static_cast<double>(job.bytes);
  if (by.overlaps_rounds && !job.is_chained) return passing + std::hypot(waiting, wires) + posting;
  // An all-reduce adds what half of its messages bring.
  const double added = !job.adds() ? 0 : job.collective == BOOT_ALLREDUCE ? 0.5 : 1;
  const double adding = added * bytes * sent / static_cast<double>(job.ranks) / adding_rate;
  return passing + waiting + std::hypot(turning, posting, wires) + adding;
}

// What cores and channels take for the pieces that messages are cut into.
double time_estimate::of_pieces(const message_round& round, const round_cost& cost,
                                const collective_case& job, const software& how) const {
  if (job.is_chained) return 0;  // whole messages
  const double of_message = round.messages.front().share * static_cast<double>(job.bytes);
  const double pieces = std::ceil(of_message / static_cast<double>(how.slot));
  if (pieces < 2) return 0;  // nothing but the round itself
  const double fence = how.is_acknowledged ? 2 * cost.latency + fence_s : 0;
  const double by_channels = (cost.wires / pieces + fence) / static_cast<double>(channels_);
  return pieces * std::max(work_of(*cores_.ranks.front(), piece_s, 1), by_channels);
}

// The first pieces, which share the wires, go all the way; the others follow as fast as the slowest
// of wires, channels and cores allows.
double time_estimate::of_pipeline(const message_round& round, const round_cost& cost,
                                  const collective_case& job, const software& how) const {
  const rank_core& core = *cores_.ranks.front();
  const double of_message = round.messages.front().share * static_cast<double>(job.bytes);
  const double pieces = std::max(1.0, std::ceil(of_message / static_cast<double>(how.slot)));
  const double wires = cost.wires / pieces;
  const double messages = round.of_rank;
  const double channels = static_cast<double>(
      round.most_channels == 0 ? channels_
                               : std::min<std::uint64_t>(round.most_channels, channels_));
  const double fence = how.is_acknowledged ? 2 * cost.latency + fence_s : 0;
  const double by_channels = (wires / messages + fence) * messages / channels;
  const double adding = round.adds ? messages * adding_s : 0;
  const double by_core =
      job.is_chained ? 0 : messages * work_of(core, piece_s, 1) + work_of(core, adding, 1);
  const double behind_others = std::max(0.0, messages / channels - 1) * fence;
  const double work = job.is_chained ? engine_s + behind_others
                                     : messages * work_of(core, further_message_s) + adding;
  const double together = std::min(pieces, std::max(1.0, std::floor(channels / messages)));
  return round.times * (how.ways * cost.latency + work + first_of(together, wires, by_core)) +
         (pieces - together) * std::max({wires, by_channels, by_core});
}

double time_estimate::of_hardware(const collective_algorithm& by,
                                  const collective_case& job) const {
  const rank_path* const next = path_of({0, 1, 0}, job);
  return hardware_time(by, job, config_,
                       {cores_, sim_, longest_way(job), next ? next->latency : 0});
}

time_estimate::round_cost time_estimate::cost_of(const message_round& round,
                                                 const collective_case& job) const {
  constexpr std::size_t most_paths = 4096, most_ranks = 256;
  const bool is_large = round.messages.size() > most_paths || job.ranks > most_ranks;
  const double latency = latency_of(round, job);
  const double links = is_large ? busiest_rank(round, job) : busiest_link(round, job);
  return {latency, std::max(links, answers(round, job, latency))};
}

// Of the packets of a rank, and of the counters behind its messages: each waits until so many
// before it are answered.
double time_estimate::answers(const message_round& round, const collective_case& job,
                              double latency) const {
  const auto* const through =
      dynamic_cast<const packetizer*>(endpoint_unit_of(*cores_.ranks.front(), sim_));
  if (!through) return 0;
  const double bytes = most_sent(round, job) * static_cast<double>(job.bytes);
  const double packets = std::ceil(bytes / through->format().mtu) + round.of_rank;
  return packets / through->outstanding_limit() * 2 * latency;
}

double time_estimate::most_sent(const message_round& round, const collective_case& job) {
  std::vector<double> sent(job.ranks);
  for (const rank_message& each : round.messages) sent[each.from] += each.share;
  return *std::max_element(sent.begin(), sent.end());
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

// From rank 0.
double time_estimate::longest_way(const collective_case& job) const {
  constexpr std::uint64_t most_samples = 64;
  const std::uint64_t stride = 1 + job.ranks / most_samples;
  double longest = 0;
  for (std::uint64_t rank = job.ranks - 1; rank > 0; rank -= std::min(rank, stride))
    if (const rank_path* const path = path_of({0, static_cast<std::uint32_t>(rank), 0}, job))
      longest = std::max(longest, path->latency);
  return longest;
}

// Ranks take the same turns at about the same time: two on each of their channels, one that is on
// its way while the next one is sent. So the links that a turn uses are busy while others are not.
double time_estimate::busiest_link(const message_round& round, const collective_case& job) const {
  constexpr std::uint64_t turns_of_channel = 2;
  const std::uint64_t turns = std::min<std::uint64_t>(channels_, round.of_rank) * turns_of_channel;
  std::vector<double> carried;  // by link
  double sum = 0;
  std::uint64_t together = 0;
  for (const rank_message& each : round.messages) {
    if (each.turn / turns != together) {
      sum += longest_of(carried, job);
      carried.clear();
      together = each.turn / turns;
    }
    const rank_path* const path = path_of(each, job);
    if (!path) continue;
    carried.resize(paths_.links());
    for (const shared_link& link : path->links) carried[link.number] += each.share * link.share;
  }
  return sum + longest_of(carried, job);
}

double time_estimate::wire_bytes(double share, const collective_case& job) const {
  return share * static_cast<double>(job.bytes) * bytes_of_payload_;
}

double time_estimate::longest_of(const std::vector<double>& carried,
                                 const collective_case& job) const {
  double longest = 0;
  for (std::size_t link = 0; link < carried.size(); ++link)
    longest = std::max(longest, paths_.seconds_of(static_cast<std::uint32_t>(link),
                                                  wire_bytes(carried[link], job)));
  return longest;
}

// As if each had the links on its way for itself.
double time_estimate::busiest_rank(const message_round& round, const collective_case& job) const {
  constexpr std::size_t most_samples = 64;
  const double most = most_sent(round, job);
  const std::size_t stride = 1 + round.messages.size() / most_samples;
  double longest = 0;
  for (std::size_t i = 0; i < round.messages.size(); i += stride) {
    const rank_path* const path = path_of(round.messages[i], job);
    if (!path) continue;
    for (const shared_link& link : path->links)
      longest =
          std::max(longest, paths_.seconds_of(link.number, wire_bytes(most * link.share, job)));
  }
  return longest;
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
