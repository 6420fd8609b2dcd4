// A functional stand-in for the platform: ranks that run natively built firmware over memories that
// show data late and in any order. Everything is drawn from the timing's seed, so runs repeat.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/hal/boot.h"
#include "tests/firmware/event_queue.hpp"
#include "tests/firmware/node.hpp"
#include "tests/firmware/timing.hpp"

namespace heddle::test {

struct cluster_options {
  std::uint32_t ranks = 2;
  std::uint32_t channels = 4;
  std::uint32_t ring_entries = 16;
  std::uint64_t timeout_ns = 0;
  bool has_lines = true;            // receive slots for them
  std::uint32_t first_counter = 0;  // what the counters in memory start from
  dma_faults common;
  std::uint32_t faulty_rank = UINT32_MAX;  // has `faults` instead
  dma_faults faults;
};

struct cluster_job {
  boot_job job{};                              // without number and offsets
  std::vector<std::vector<std::byte>> inputs;  // of each rank: all the same size
  // What is wrong with the rank's data at the end, or "".
  std::function<std::string(std::uint32_t rank, const std::byte* data)> check;
};

class cluster final {
 public:
  cluster(const cluster_options& options, timing& times, const std::function<int()>& firmware);

  // Runs all the jobs; "" or what went wrong first. Once.
  std::string run(std::vector<cluster_job> jobs);

  // Before the run: so many credits on every channel that nobody has given.
  void forge_credits(std::uint32_t count);

  const std::vector<std::string>& logs() const { return logs_; }
  std::vector<int> exit_codes() const;  // -1 for a rank that has not ended
  std::uint64_t job_ns(std::size_t job) const { return end_times_[job] - start_times_[job]; }

  // For the nodes.
  const cluster_options& options() const { return options_; }
  event_queue& events() { return events_; }
  timing& times() { return times_; }
  node& owner_of(std::uint64_t address);
  void fail(std::string reason);
  void log(std::string text) { logs_.push_back(std::move(text)); }
  void arrive();
  void mark_start() { ++started_; }
  void mark_end(std::uint32_t rank);
  bool have_all_started() const { return started_ == nodes_.size(); }
  std::uint32_t posted_jobs() const { return posted_; }
  std::uint32_t job_count() const { return static_cast<std::uint32_t>(jobs_.size()); }

 private:
  void post_next_job();
  void prepare(node& rank, const cluster_job& job, std::vector<std::byte> input) const;
  void verify(const cluster_job& job);
  std::string deadlock() const;
  std::string bad_exits() const;

  cluster_options options_;
  timing& times_;
  event_queue events_;
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<cluster_job> jobs_;
  std::uint32_t posted_ = 0;
  std::uint32_t arrived_ = 0;
  std::uint32_t started_ = 0;
  std::uint32_t ended_ = 0;
  std::vector<std::uint64_t> start_times_;
  std::vector<std::uint64_t> end_times_;
  std::vector<std::string> logs_;
  std::string failure_;
};

}  // namespace heddle::test
