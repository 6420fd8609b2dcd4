#include "platform/workload/workload_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "platform/services/compute_directory.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/services/run_control.hpp"
#include "platform/tensor/compare.hpp"
#include "platform/tensor/npy.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/glob.hpp"
#include "platform/workload/bandwidth_model.hpp"
#include "platform/workload/hardware_span.hpp"
#include "platform/workload/job_board.hpp"
#include "platform/workload/make_job.hpp"
#include "platform/workload/mesh_reference.hpp"
#include "platform/workload/rank_memory.hpp"
#include "platform/workload/workload_fit.hpp"
#include "sw/collectives/layout.h"
#include "sw/collectives/select.h"
#include "sw/kernels/gemm_layout.h"

namespace heddle {

workload_runner::workload_runner(simulation& sim, const workload_config& config,
                                 std::string run_directory)
    : sc_module(sc_core::sc_module_name("workload")),
      sim_(sim),
      config_(config),
      run_directory_(std::move(run_directory)) {
  job_board& board = sim.service<job_board>();
  for (rank_core* core : sim.service<rank_directory>().cores) {
    if (!config.setup.empty() && glob_match(config.setup, core->rank_path())) {
      cores_.setup.push_back(core);
      board.sets_jobs_up(*core);
    } else if (glob_match(config.ranks, core->rank_path())) {
      cores_.ranks.push_back(core);
    }
  }
  check_workload(config_, cores_);
  config_.columns = cores_.ranks.front()->resources().columns;
  board.open();
  board.on_mark = [this](rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
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

// Explaining makes a run in trains of 32 a quarter slower, one packet by packet twice as slow, and
// that is worth it only while it is short.
bool workload_runner::explains(std::uint64_t bytes) const {
  constexpr std::uint64_t short_job = 1 << 20;
  return config_.is_explained.value_or(sim_.settings().train > 1 || bytes <= short_job);
}

std::string workload_runner::shown_name(boot_algorithm algorithm) const {
  const bool has_own_barrier = algorithm == BOOT_NVLS || is_on_mesh(algorithm);
  if (config_.collective == BOOT_BARRIER && !has_own_barrier) return "dissemination";
  return is_point_to_point(config_.collective) ? "write" : name_of(algorithm);
}

std::vector<std::string> workload_runner::algorithms() const {
  std::vector<std::string> names;
  for (const boot_algorithm each : config_.algorithms) {
    const std::string name = shown_name(each);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string workload_runner::remark() const {
  const bool may_quantize =
      config_.may_quantize ||
      std::count(config_.algorithms.begin(), config_.algorithms.end(), BOOT_SCIN_INQ) > 0;
  if (!may_quantize) return {};
  return fmt::format(
      "scin_inq: {}-bit elements in blocks of {}; ranks quantize before and dequantize after the "
      "time shown",
      config_.quant.bits, config_.quant.block);
}

std::string workload_runner::note() const {
  const bool has_barrier_behind =
      std::any_of(config_.algorithms.begin(), config_.algorithms.end(), is_on_mesh) &&
      config_.collective != BOOT_BARRIER;
  if (!has_barrier_behind) return {};
  return "time: from the first rank's start mark to the last rank's end mark, when its own "
         "transfers "
         "are done;\n  the barrier after which all ranks may use the data comes on top\n";
}

// All windows are laid out alike.
rank_memory workload_runner::layout() const {
  return rank_memory(cores_.ranks.front()->resources().window_bytes);
}

std::uint64_t workload_runner::messages() const {
  if (config_.collective == BOOT_P2P_BANDWIDTH) return config_.iterations;
  return config_.collective == BOOT_P2P_LATENCY ? 2 * config_.iterations : 1;
}

std::uint64_t workload_runner::expected_work() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : config_.bytes) sum += size * config_.repeat * messages();
  return sum * config_.algorithms.size();
}

void workload_runner::start_of_simulation() {
  try {
    for (std::size_t rank = 0; rank < cores_.ranks.size(); ++rank)
      write_boot_block(*cores_.ranks[rank], rank);
    for (rank_core* each : cores_.setup) write_boot_block(*each, 0);
  } catch (const user_error& error) {
    throw user_error(config_.place, error.what());
  }
}

boot_block workload_runner::boot_block_of(const rank_core& core, std::size_t rank) const {
  const rank_resources own = core.resources();
  boot_block block{};
  block.magic = BOOT_MAGIC;
  block.version = BOOT_VERSION;
  block.rank = static_cast<std::uint32_t>(rank);
  block.ranks = static_cast<std::uint32_t>(cores_.ranks.size());
  block.self = own.window;
  block.peers = own.window + layout().peers;
  block.job = own.window + layout().job;
  block.dma = own.dma;
  block.vector = own.vector;
  block.rings = own.window + layout().rings;
  block.ring_entries = static_cast<std::uint32_t>(layout().ring_entries);
  block.channels = static_cast<std::uint32_t>(config_.channels);
  block.flags = own.window + layout().flags;
  block.flag_bytes = flag_area_bytes(block.ranks);
  block.timeout_ns = config_.timeout_ns;
  block.isa = own.isa;
  block.isa_stride = own.isa_stride;
  block.isas = own.isas;
  block.multimem = own.multimem;
  block.multicast = own.multicast;
  return block;
}

void workload_runner::write_boot_block(rank_core& core, std::size_t rank) {
  const rank_resources own = core.resources();
  const boot_block block = boot_block_of(core, rank);
  core.debug_write(block.self + rank_memory::boot, &block, sizeof block);
  if (own.mesh != 0) {  // whose tiles know each other's addresses
    const boot_mesh place{own.mesh, own.columns, own.memory, own.memory_size, own.gemm};
    core.debug_write(own.window + rank_memory::boot + BOOT_MESH_OFFSET, &place, sizeof place);
    return;
  }
  std::vector<std::uint64_t> peers;
  for (const rank_core* each : cores_.ranks) peers.push_back(each->resources().window);
  core.debug_write(block.peers, peers.data(), peers.size() * sizeof peers[0]);
}

boot_job workload_runner::job_of(std::uint32_t number, std::uint64_t bytes) const {
  return make_job(config_, cores_.ranks.size(), cores_.ranks.front()->resources().window_bytes,
                  number, bytes);
}

void workload_runner::write_job(const boot_job& job, const job_inputs& inputs) {
  for (rank_core* each : cores_.setup)
    each->debug_write(each->resources().window + layout().job, &job, sizeof job);
  for (std::size_t rank = 0; rank < cores_.ranks.size(); ++rank) {
    const rank_resources own = cores_.ranks[rank]->resources();
    cores_.ranks[rank]->debug_write(own.window + layout().job, &job, sizeof job);
    if (!inputs.by_rank.empty() && sim_.settings().carries_data)
      cores_.ranks[rank]->debug_write(own.window + job.data, inputs.by_rank[rank].data(),
                                      inputs.by_rank[rank].size());
  }
}

void workload_runner::write_gemm(const boot_job& job) {
  gemm_.emplace(config_, cores_.ranks.size(), job, sim_.settings().seed + job.number);
  if (sim_.settings().carries_data) gemm_->write(cores_.ranks);
}

// What ranks prepare before the first start mark is no part of the job.
void workload_runner::begin_span() {
  energy_before_ = sim_.service<energy_book>().shares();
  wire_bytes_before_ = sim_.service<link_directory>().wire_bytes();
  if (on_start) on_start();
}

void workload_runner::end_span() {
  energy_ = difference(sim_.service<energy_book>().shares(), energy_before_);
  wire_bytes_ = sim_.service<link_directory>().wire_bytes() - wire_bytes_before_;
}

void workload_runner::take_mark(rank_core& core, job_mark mark, std::uint32_t, fs_t when) {
  if (sim_.service<job_board>().is_setup(core)) {
    if (mark == job_mark::end && ++set_up_ == cores_.setup.size())
      all_set_up_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  const auto rank = static_cast<std::size_t>(
      std::find(cores_.ranks.begin(), cores_.ranks.end(), &core) - cores_.ranks.begin());
  if (mark == job_mark::start) {
    rank_times_[rank] = when;
    if (first_start_ == fs_never) begin_span();
    first_start_ = std::min(first_start_, when);
    if (is_explained_) core.why() = cause::start(core.rank_place(), when);
    return;
  }
  rank_times_[rank] = when - rank_times_[rank];
  last_end_ = std::max(last_end_, when);
  last_end_why_.join(core.why());
  core.why() = {};
  if (++ended_ != cores_.ranks.size()) return;
  end_span();
  if (on_end) on_end(last_end_ - first_start_);
  sim_.service<run_control>().hold();  // until the result is there
  all_ended_.notify(sc_core::SC_ZERO_TIME);
}

// The files say how many bytes, where there are some.
std::vector<std::uint64_t> workload_runner::sizes() const {
  if (!config_.input.empty()) return {0};
  return config_.collective == BOOT_BARRIER ? std::vector{config_.bytes.front()} : config_.bytes;
}

std::uint64_t workload_runner::jobs() const {
  return sizes().size() * config_.algorithms.size() * config_.repeat;
}

// Before the first job takes its time: none of them is one that cannot be done.
void workload_runner::check_jobs() {
  if (!config_.input.empty()) return;
  for (const std::uint64_t size : sizes())
    for (const boot_algorithm algorithm : config_.algorithms) {
      config_.algorithm = algorithm;
      choose(job_of(0, size));
    }
}

void workload_runner::run() {
  check_jobs();
  std::uint32_t number = 0;
  for (const std::uint64_t size : sizes())
    for (const boot_algorithm algorithm : config_.algorithms)
      for (std::uint64_t again = 0; again < config_.repeat; ++again) {
        config_.algorithm = algorithm;
        run_job(number++, size);
      }
  sim_.service<job_board>().close();
}

// The algorithm of the job at hand, as firmware does.
void workload_runner::choose(boot_job job) {
  const boot_block boot = boot_block_of(*cores_.ranks.front(), 0);
  is_chosen_ = config_.algorithm == BOOT_AUTO && moves_data(&job);
  job.algorithm = select_algorithm(&boot, &job);
  config_.algorithm = static_cast<boot_algorithm>(job.algorithm);
  if (!is_algorithm_for(config_.algorithm, config_.collective))
    throw user_error(config_.algorithm_place, fmt::format("no algorithm of these ranks does {}: "
                                                          "it needs in-switch accelerators",
                                                          name_of(config_.collective)));
  check_job(config_, cores_, job);
  if (!is_gemm(config_.collective)) return;
  const gemm_job gemm(config_, cores_.ranks.size(), job, sim_.settings().seed);
  for (const rank_core* each : cores_.ranks) gemm.check_fit(each->resources());
}

void workload_runner::run_job(std::uint32_t number, std::uint64_t size) {
  job_board& board = sim_.service<job_board>();
  job_inputs inputs;
  const bool has_tensors = !is_gemm(config_.collective) && sim_.settings().carries_data;
  if (has_tensors || !config_.input.empty())  // files give the size
    inputs = make_inputs(config_, cores_.ranks.size(), size, sim_.settings().seed + number);
  const std::uint64_t bytes =
      config_.input.empty() ? size : inputs.elements * size_of(config_.type);
  const boot_job job = job_of(number, bytes);
  choose(job);
  write_job(job, inputs);
  if (is_gemm(config_.collective)) write_gemm(job);
  board.await_idle(cores_.ranks.size() + cores_.setup.size());
  if (!cores_.setup.empty()) {
    set_up_ = 0;
    board.post_to_setup(number);
    sc_core::wait(all_set_up_);
  }
  first_start_ = fs_never;
  last_end_ = 0;
  is_explained_ = explains(bytes);
  last_end_why_ = {};
  ended_ = 0;
  rank_times_.assign(cores_.ranks.size(), 0);
  sim_.service<hardware_span>() = {};
  board.post(number);
  sc_core::wait(all_ended_);
  if (config_.algorithm == BOOT_SCIN_INQ)
    board.await_idle(cores_.ranks.size() + cores_.setup.size());
  finish_job(job, inputs);
  sim_.service<run_control>().release();
}

void workload_runner::finish_job(const boot_job& job, const job_inputs& inputs) {
  const auto ranks = static_cast<double>(cores_.ranks.size());
  workload_result result;
  result.name = name_of(config_.collective);
  result.algorithm = shown_name(config_.algorithm);
  result.is_chosen = is_chosen_;
  result.type = name_of(config_.type);
  result.op = name_of(config_.op);
  result.ranks = static_cast<std::uint32_t>(cores_.ranks.size());
  result.bytes = job.elements * job.element_bytes;
  result.moved_bytes = result.bytes * messages();
  result.start = first_start_;
  result.end = last_end_;
  result.rank_times = rank_times_;
  result.wire_bytes = wire_bytes_;
  result.hardware_time = sim_.service<hardware_span>().length();
  const fs_t time = last_end_ - first_start_;
  if (time > 0) result.algbw = static_cast<double>(result.moved_bytes) / seconds(time);
  result.busbw = result.algbw * bus_factor(config_.collective, ranks);
  result.ceiling = algbw_ceiling(config_, sim_.service<link_directory>(), ranks);
  result.law = law_of_mesh(config_, sim_.service<link_directory>(), cores_.ranks.size(),
                           cores_.ranks.front()->resources().memory != 0, result.bytes);
  result.energy = std::exchange(energy_, {});
  if (gemm_) gemm_->describe(result, sim_.service<compute_directory>().flops_per_second);
  if (is_explained_)
    result.path = break_down(sim_.service<explanation>(), std::exchange(last_end_why_, {}),
                             first_start_, last_end_);
  result.is_checked = config_.is_checked && sim_.settings().carries_data;
  if (result.is_checked) check(result, inputs, job.elements);
  if (!config_.output.empty() && sim_.settings().carries_data)
    for (std::size_t rank = 0; rank < cores_.ranks.size(); ++rank) write_output(rank, inputs);
  results_.push_back(result);
  if (on_result) on_result(result);
}

void workload_runner::check(workload_result& result, const job_inputs& inputs,
                            std::size_t elements) {
  const expectation expected(config_, inputs);
  const std::size_t element = size_of(config_.type);
  result.is_verified = true;
  tensor_bytes got;
  for (std::size_t rank = 0; rank < cores_.ranks.size(); ++rank) {
    const expected_part part = gemm_ ? gemm_->for_rank(rank) : expected.for_rank(rank);
    if (part.count == 0) continue;
    got.resize(part.count * element);
    cores_.ranks[rank]->debug_read(
        cores_.ranks[rank]->resources().window + layout().data + part.begin * element, got.data(),
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
        result.name, result.bytes, rank, cores_.ranks[rank]->rank_path(), difference.mismatches,
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
  cores_.ranks[rank]->debug_read(cores_.ranks[rank]->resources().window + layout().data,
                                 array.data.data(), array.data.size());
  write_npy(std::filesystem::path(run_directory_) / name, array);
}

}  // namespace heddle
