#include "tests/firmware/cluster.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle::test {

cluster::cluster(const cluster_options& options, timing& times,
                 const std::function<int()>& firmware)
    : options_(options), times_(times) {
  for (std::uint32_t rank = 0; rank < options_.ranks; ++rank) {
    nodes_.push_back(std::make_unique<node>(*this, rank, firmware));
  }
}

std::string cluster::run(std::vector<cluster_job> jobs) {
  jobs_ = std::move(jobs);
  for (const auto& each : nodes_) {
    events_.schedule(times_.access(), [&each] { each->resume(); });
  }
  try {
    while (failure_.empty() && events_.step()) {
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  if (failure_.empty()) failure_ = bad_exits();
  if (failure_.empty()) failure_ = deadlock();
  return failure_;
}

void cluster::forge_credits(std::uint32_t count) {
  for (const auto& each : nodes_) {
    std::byte* flags = each->memory().look_at("flags");
    for (std::uint32_t i = FLAG_RING_CREDIT; i < FLAG_HALVING; ++i) {
      std::memcpy(flags + i * sizeof count, &count, sizeof count);
    }
  }
}

std::vector<int> cluster::exit_codes() const {
  std::vector<int> codes;
  for (const auto& each : nodes_) codes.push_back(each->exit_code().value_or(-1));
  return codes;
}

std::string cluster::bad_exits() const {
  std::string text;
  for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
    const int code = nodes_[rank]->exit_code().value_or(0);
    if (code == 0) continue;
    text += "rank " + std::to_string(rank) + " exits with " + std::to_string(code) + "; ";
  }
  return text;
}

std::string cluster::deadlock() const {
  std::string text;
  for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
    if (nodes_[rank]->exit_code()) continue;
    text += "rank " + std::to_string(rank) + " waits for " + nodes_[rank]->waits_for() + "; ";
  }
  return text.empty() ? text : "deadlock: " + text;
}

node& cluster::owner_of(std::uint64_t address) {
  const std::uint64_t window = address >> 32;
  if (window == 0 || window > nodes_.size()) throw std::runtime_error("no rank at the address");
  return *nodes_[window - 1];
}

void cluster::fail(std::string reason) {
  if (failure_.empty()) failure_ = std::move(reason);
}

void cluster::arrive() {
  if (++arrived_ < nodes_.size()) return;
  arrived_ = 0;
  if (posted_ > 0 && ended_ < nodes_.size()) return fail("a rank did not mark the end of its job");
  events_.schedule(0, [this] { post_next_job(); });
}

void cluster::post_next_job() {
  if (posted_ < jobs_.size()) {
    const cluster_job& job = jobs_[posted_];
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
      prepare(*nodes_[rank], job, job.inputs[rank]);
    }
    start_times_.push_back(events_.now());
    started_ = 0;
    ended_ = 0;
  }
  ++posted_;
  for (const auto& each : nodes_) each->poke();
}

void cluster::prepare(node& rank, const cluster_job& job, std::vector<std::byte> input) const {
  const auto needed = algorithm_registry::instance().of(job.job.algorithm).scratch;
  const std::uint64_t scratch = needed ? needed(job.job, options_.ranks) : 0;
  rank_memory& memory = rank.memory();
  boot_job posted = job.job;
  posted.number = posted_;
  memory.place("data", 0, 0);
  memory.place("scratch", 0, 0);
  posted.data = memory.place("data", input.size(), engine_read | engine_write | peer_write);
  posted.scratch = memory.place("scratch", scratch, engine_read | peer_write);
  std::copy(input.begin(), input.end(), memory.look_at("data"));
  std::memset(memory.look_at("scratch"), 0x5a, scratch);
  std::memcpy(memory.look_at("job"), &posted, sizeof posted);
}

// A rank that is done has all that it is to receive, whatever the others still do.
void cluster::mark_end(std::uint32_t rank) {
  const cluster_job& job = jobs_[posted_ - 1];
  if (job.job.collective == BOOT_BARRIER && !have_all_started()) {
    fail("a rank leaves the barrier before all have come");
  }
  const std::string wrong = job.check(rank, nodes_[rank]->memory().look_at("data"));
  if (!wrong.empty()) fail("rank " + std::to_string(rank) + " is done too early: " + wrong);
  if (++ended_ < nodes_.size()) return;
  end_times_.push_back(events_.now());
  verify(jobs_[posted_ - 1]);
}

void cluster::verify(const cluster_job& job) {
  const auto blame = [this](std::uint32_t rank, const std::string& what) {
    fail("job " + std::to_string(posted_ - 1) + " rank " + std::to_string(rank) + ": " + what);
  };
  for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
    if (!nodes_[rank]->is_visible()) blame(rank, "data on its way after the end of the job");
    const std::string wrong = job.check(rank, nodes_[rank]->memory().look_at("data"));
    if (!wrong.empty()) blame(rank, wrong);
  }
}

}  // namespace heddle::test
