#include "platform/workload/workload_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <filesystem>

#include "platform/run/link_directory.hpp"
#include "platform/run/run_control.hpp"
#include "platform/tensor/compare.hpp"
#include "platform/tensor/npy.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/glob.hpp"
#include "platform/workload/job_board.hpp"
#include "platform/workload/rank_memory.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Bus bandwidth: what each wire of an ideal network would carry (the usual convention of
// collective benchmarks).
double bus_factor(boot_collective collective, double ranks) {
  switch (collective) {
    case BOOT_ALLREDUCE:
      return 2 * (ranks - 1) / ranks;
    case BOOT_REDUCE_SCATTER:
    case BOOT_ALLGATHER:
      return (ranks - 1) / ranks;
    default:
      return 1;
  }
}

bool is_point_to_point(boot_collective collective) {
  return collective == BOOT_P2P_LATENCY || collective == BOOT_P2P_BANDWIDTH;
}

}  // namespace

workload_runner::workload_runner(simulation& sim, const workload_config& config,
                                 std::string run_directory)
    : sc_module(sc_core::sc_module_name("workload")),
      sim_(sim),
      config_(config),
      run_directory_(std::move(run_directory)) {
  for (rank_core* core : sim.service<rank_directory>().cores)
    if (glob_match(config.ranks, core->rank_path())) ranks_.push_back(core);
  check_fit();
  job_board& board = sim.service<job_board>();
  board.open();
  board.on_mark = [this](const rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
    take_mark(core, mark, job, when);
  };
  sc_core::sc_spawn(
      [this] {
        try {
          run();
        } catch (const user_error&) {
          sim_.service<run_control>().reject(std::current_exception());
        }
      },
      "run");
}

void workload_runner::check_fit() const {
  if (ranks_.empty())
    throw user_error(config_.ranks_place, "no core with firmware matches '" + config_.ranks +
                                              "': the workload has no "
                                              "ranks");
  if (ranks_.size() > rank_memory::most_ranks)
    throw user_error(config_.ranks_place, "more than 7168 ranks");
  if (is_point_to_point(config_.collective) && ranks_.size() < 2)
    throw user_error(config_.ranks_place, "a point-to-point test needs two ranks");
  if (config_.root >= ranks_.size())
    throw user_error(config_.root_place,
                     fmt::format("root {} is none of the {} ranks", config_.root, ranks_.size()));
  if (ranks_.size() > 1 && !config_.output.empty() &&
      config_.output.find("{r}") == std::string::npos)
    throw user_error(config_.output_place,
                     "`output` names one file a rank: it needs {r}, as in "
                     "sum_rank{r}.npy");
  const bool is_power_of_two = (ranks_.size() & (ranks_.size() - 1)) == 0;
  if (config_.algorithm == BOOT_HALVING_DOUBLING && !is_power_of_two)
    throw user_error(
        config_.algorithm_place,
        fmt::format("halving_doubling needs a power of two of ranks, there are {}", ranks_.size()));
}

std::uint64_t workload_runner::messages() const {
  if (config_.collective == BOOT_P2P_BANDWIDTH) return config_.iterations;
  return config_.collective == BOOT_P2P_LATENCY ? 2 * config_.iterations : 1;
}

std::uint64_t workload_runner::expected_work() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : config_.bytes) sum += size * config_.repeat * messages();
  return sum;
}

void workload_runner::start_of_simulation() {
  try {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) write_boot_block(rank);
  } catch (const user_error& error) {
    throw user_error(config_.place, error.what());
  }
}

void workload_runner::write_boot_block(std::size_t rank) {
  const rank_resources own = ranks_[rank]->resources();
  std::vector<std::uint64_t> peers;
  for (const rank_core* each : ranks_) peers.push_back(each->resources().window);
  boot_block block{};
  block.magic = BOOT_MAGIC;
  block.version = BOOT_VERSION;
  block.rank = static_cast<std::uint32_t>(rank);
  block.ranks = static_cast<std::uint32_t>(ranks_.size());
  block.self = own.window;
  block.peers = own.window + rank_memory::peers;
  block.job = own.window + rank_memory::job;
  block.dma = own.dma;
  block.vector = own.vector;
  block.rings = own.window + rank_memory::rings;
  block.ring_entries = rank_memory::ring_entries;
  block.channels = static_cast<std::uint32_t>(config_.channels);
  block.flags = own.window + rank_memory::flags;
  block.flag_bytes = flag_area_bytes(block.ranks);
  block.timeout_ns = config_.timeout_ns;
  ranks_[rank]->debug_write(block.peers, peers.data(), peers.size() * sizeof peers[0]);
  ranks_[rank]->debug_write(own.window + rank_memory::boot, &block, sizeof block);
}

std::uint64_t workload_runner::scratch_offset(std::uint64_t bytes) const {
  return rounded_up(rank_memory::data + bytes, rank_memory::alignment);
}

// Four pieces a chunk overlap sending and reducing. Below 32 KiB the firmware's work for a piece
// takes longer than the piece; above 512 KiB filling the pipeline does.
std::uint64_t workload_runner::slot_bytes(std::uint64_t bytes) const {
  if (config_.slot_bytes != 0) return config_.slot_bytes;
  constexpr std::uint64_t smallest = 32 * 1024, largest = 512 * 1024, multiple = 64;
  const std::uint64_t quarter = bytes / ranks_.size() / 4;
  return rounded_up(std::clamp(quarter, smallest, largest), multiple);
}

boot_job workload_runner::make_job(std::uint32_t number, std::uint64_t bytes) const {
  boot_job job{};
  job.number = number;
  job.collective = config_.collective;
  job.algorithm = config_.algorithm;
  job.dtype = static_cast<std::uint32_t>(config_.type);
  job.op = static_cast<std::uint32_t>(config_.op);
  job.root = static_cast<std::uint32_t>(config_.root);
  job.iterations = static_cast<std::uint32_t>(config_.iterations);
  job.slots = static_cast<std::uint32_t>(config_.slots);
  job.element_bytes = size_of(config_.type);
  job.elements = bytes / job.element_bytes;
  job.data = rank_memory::data;
  job.scratch = scratch_offset(bytes);
  job.slot_bytes = slot_bytes(bytes);
  return job;
}

void workload_runner::write_job(const boot_job& job, const job_inputs& inputs) {
  const std::uint64_t needed =
      job.scratch + scratch_bytes(&job, static_cast<std::uint32_t>(ranks_.size()));
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const rank_resources own = ranks_[rank]->resources();
    if (needed > own.window_bytes)
      throw user_error(
          config_.bytes_place,
          fmt::format("{} has {} of memory, the job needs {}", ranks_[rank]->rank_path(),
                      format_bytes(own.window_bytes), format_bytes(needed)));
    ranks_[rank]->debug_write(own.window + rank_memory::job, &job, sizeof job);
    if (!inputs.by_rank.empty() && sim_.settings().carries_data)
      ranks_[rank]->debug_write(own.window + job.data, inputs.by_rank[rank].data(),
                                inputs.by_rank[rank].size());
  }
}

void workload_runner::take_mark(const rank_core&, job_mark mark, std::uint32_t, fs_t when) {
  if (mark == job_mark::start) {
    first_start_ = std::min(first_start_, when);
    return;
  }
  last_end_ = std::max(last_end_, when);
  if (++ended_ == ranks_.size()) all_ended_.notify(sc_core::SC_ZERO_TIME);
}

void workload_runner::run() {
  job_board& board = sim_.service<job_board>();
  std::vector<std::uint64_t> sizes = config_.bytes;
  if (!config_.input.empty()) sizes = {0};  // the files say how many
  std::uint32_t number = 0;
  for (const std::uint64_t size : sizes) {
    for (std::uint64_t again = 0; again < config_.repeat; ++again, ++number) {
      job_inputs inputs;
      if (sim_.settings().carries_data || !config_.input.empty())  // files give the size
        inputs = make_inputs(config_, ranks_.size(), size, sim_.settings().seed + number);
      const std::uint64_t bytes =
          config_.input.empty() ? size : inputs.elements * size_of(config_.type);
      const boot_job job = make_job(number, bytes);
      write_job(job, inputs);
      const std::uint64_t before = sim_.service<link_directory>().wire_bytes();
      first_start_ = fs_never;
      last_end_ = 0;
      ended_ = 0;
      if (on_start) on_start();
      board.post(number);
      sc_core::wait(all_ended_);
      finish_job(job, inputs, sim_.service<link_directory>().wire_bytes() - before);
    }
  }
  board.close();
}

void workload_runner::finish_job(const boot_job& job, const job_inputs& inputs,
                                 std::uint64_t wire_bytes) {
  const auto ranks = static_cast<double>(ranks_.size());
  workload_result result;
  result.name = name_of(config_.collective);
  result.algorithm = config_.collective == BOOT_BARRIER      ? "dissemination"
                     : is_point_to_point(config_.collective) ? "write"
                                                             : name_of(config_.algorithm);
  result.type = name_of(config_.type);
  result.op = name_of(config_.op);
  result.ranks = static_cast<std::uint32_t>(ranks_.size());
  result.bytes = job.elements * job.element_bytes;
  result.moved_bytes = result.bytes * messages();
  result.start = first_start_;
  result.end = last_end_;
  result.wire_bytes = wire_bytes;
  const fs_t time = last_end_ - first_start_;
  if (time > 0) result.algbw = static_cast<double>(result.moved_bytes) / seconds(time);
  const double factor = bus_factor(config_.collective, ranks);
  result.busbw = result.algbw * factor;
  const link_directory& net = sim_.service<link_directory>();
  const double rate =
      is_point_to_point(config_.collective) ? net.simplex_payload_rate : net.duplex_payload_rate;
  if (factor > 0 && config_.collective != BOOT_BARRIER) result.ceiling = rate / factor;
  result.is_checked = config_.is_checked && sim_.settings().carries_data;
  if (result.is_checked) check(result, inputs, job.elements);
  if (!config_.output.empty() && sim_.settings().carries_data)
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) write_output(rank, inputs);
  results_.push_back(result);
  if (on_result) on_result(result);
}

void workload_runner::check(workload_result& result, const job_inputs& inputs,
                            std::size_t elements) {
  const expectation expected(config_, inputs);
  const std::size_t element = size_of(config_.type);
  result.is_verified = true;
  tensor_bytes got;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const expected_part part = expected.for_rank(rank);
    if (part.count == 0) continue;
    got.resize(part.count * element);
    ranks_[rank]->debug_read(
        ranks_[rank]->resources().window + rank_memory::data + part.begin * element, got.data(),
        got.size());
    const comparison difference = compare(config_.type, got.data(), part.bytes.data(), part.count);
    result.max_ulp = std::max(result.max_ulp, difference.max_ulp);
    if (rank == 0 && expected.reference().size() == elements && part.count == elements)
      result.relative_error =
          relative_error(config_.type, got.data(), expected.reference().data(), elements);
    if (difference.identical) continue;
    result.is_verified = false;
    sim_.service<run_control>().fail(fmt::format(
        "wrong data: {} of {} B: rank {} ({}): {} of {} elements differ, first element {}, up to "
        "{} ULP",
        result.name, result.bytes, rank, ranks_[rank]->rank_path(), difference.mismatches,
        part.count, part.begin + difference.first_difference, difference.max_ulp));
  }
}

void workload_runner::write_output(std::size_t rank, const job_inputs& inputs) {
  std::string name = config_.output;
  if (const std::size_t place = name.find("{r}"); place != std::string::npos)
    name.replace(place, 3, std::to_string(rank));
  npy_array array;
  array.type = config_.type;
  array.shape = inputs.shape;
  array.data.resize(inputs.elements * size_of(config_.type));
  ranks_[rank]->debug_read(ranks_[rank]->resources().window + rank_memory::data, array.data.data(),
                           array.data.size());
  write_npy(std::filesystem::path(run_directory_) / name, array);
}

}  // namespace heddle
