#include "tests/firmware/node.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "platform/tensor/accumulate.hpp"
#include "platform/tensor/reduce.hpp"
#include "regs/dma_regs.h"
#include "regs/multimem_regs.h"
#include "regs/vector_regs.h"
#include "sw/collectives/layout.h"
#include "sw/hal/hal.h"
#include "tests/firmware/cluster.hpp"

namespace heddle::test {
namespace {

node* running = nullptr;

// Returns the first line without the flag, counted from 1; then nothing has been written.
std::uint32_t take_lines(const vector_operation& operation, const std::byte* lines,
                         std::byte* destination, std::uint64_t bytes) {
  std::vector<std::byte> data;
  for (std::uint64_t i = 0; i < lines_of(bytes); ++i, lines += LINE_BYTES) {
    if (std::memcmp(lines + LINE_DATA, &operation.flag, sizeof operation.flag) != 0)
      return static_cast<std::uint32_t>(i + 1);
    data.insert(data.end(), lines, lines + std::min(LINE_DATA, bytes - i * LINE_DATA));
  }
  const std::uint32_t op =
      (operation.operation & VECTOR_OPERATION_OP_MASK) >> VECTOR_OPERATION_OP_POS;
  const auto type = static_cast<dtype>((operation.operation & VECTOR_OPERATION_DTYPE_MASK) >>
                                       VECTOR_OPERATION_DTYPE_POS);
  if (op == VECTOR_OPERATION_OP_COPY)
    std::copy(data.begin(), data.end(), destination);
  else
    heddle::reduce(type, static_cast<reduce_op>(op), destination, data.data(), operation.elements);
  return 0;
}

bool is_register(std::uint64_t address, std::uint64_t base) {
  return address >= base && address < base + 0x1000;
}

}  // namespace

node& node::current() {
  return *running;
}

node::node(cluster& owner, std::uint32_t rank, const std::function<int()>& firmware)
    : cluster_(owner),
      rank_(rank),
      memory_("rank " + std::to_string(rank)),
      dma_(rank, owner.events(), owner.times(), *this,
           rank == owner.options().faulty_rank ? owner.options().faults : owner.options().common),
      vector_(owner.events(), owner.times(),
              [this](const vector_operation& operation) { return execute(operation); }),
      multimem_(rank, owner.events(), owner.times(), *this),
      fiber_([this, firmware] { run_firmware(firmware); }) {
  lay_out_memory();
}

void node::lay_out_memory() {
  const cluster_options& options = cluster_.options();
  const std::uint64_t self = window_of(rank_);
  const std::uint64_t peers_bytes = options.ranks * sizeof(std::uint64_t);
  const std::uint64_t ring_bytes = options.ring_entries * sizeof(dma_descriptor);
  boot_block boot{};
  boot.magic = BOOT_MAGIC;
  boot.version = BOOT_VERSION;
  boot.rank = rank_;
  boot.ranks = options.ranks;
  boot.self = self;
  boot.multicast = multimem_unit::region;
  boot.ring_entries = options.ring_entries;
  boot.channels = options.channels;
  boot.flag_bytes = flag_area_bytes(options.ranks);
  boot.timeout_ns = options.timeout_ns;
  memory_.place("boot", sizeof boot, core_read);
  boot.peers = self + memory_.place("peers", peers_bytes, core_read);
  boot.job = self + memory_.place("job", sizeof(boot_job), core_read);
  boot.rings =
      self + memory_.place("rings", ring_bytes * options.channels, core_write | engine_read);
  boot.flags = self + memory_.place("flags", boot.flag_bytes, core_read | engine_read | peer_write);
  if (options.has_lines)
    boot.lines = self + memory_.place("lines", LINE_SLOTS * line_slot_bytes(),
                                      core_read | engine_read | peer_write);
  for (std::uint64_t i = 0; i < options.ranks; ++i) {
    const std::uint64_t window = window_of(i);
    std::memcpy(memory_.look_at("peers") + i * sizeof window, &window, sizeof window);
  }
  for (std::uint64_t i = 0; i < boot.flag_bytes; i += sizeof options.first_counter) {
    std::memcpy(memory_.look_at("flags") + i, &options.first_counter, sizeof options.first_counter);
  }
  std::memcpy(memory_.look_at("boot"), &boot, sizeof boot);
}

void node::run_firmware(const std::function<int()>& firmware) {
  exit_code_ = firmware();
}

void node::resume() {
  if (exit_code_) return;
  running = this;
  fiber_.resume();
}

void node::sleep_forever() {
  for (;;) fiber_.suspend();
}

void node::end(int code) {
  exit_code_ = code;
  sleep_forever();
}

void node::stop(std::string&& reason) {
  cluster_.fail(std::move(reason));
  sleep_forever();
}

void node::log(const std::string& text) {
  cluster_.log("rank " + std::to_string(rank_) + ": " + text);
}

void node::spend_access() {
  spend(cluster_.times().access());
}

void node::spend(std::uint64_t time) {
  if (time == 0) return;
  cluster_.events().schedule(time, [this] { resume(); });
  fiber_.suspend();
}

std::byte* node::own(std::uint64_t address, std::uint64_t bytes, access wanted) {
  return memory_.at(address - window_of(rank_), bytes, wanted);
}

std::uint64_t node::peek(std::uint64_t address, std::uint64_t bytes) {
  if (is_register(address, dma_base)) return dma_.read(address - dma_base);
  if (is_register(address, vector_base)) return vector_.read(address - vector_base);
  if (is_register(address, multimem_base)) return multimem_.read(address - multimem_base);
  std::uint64_t value = 0;
  std::memcpy(&value, own(address, bytes, core_read), bytes);
  return value;
}

std::uint64_t node::device(std::uint32_t block, std::uint32_t instance) const {
  constexpr std::pair<std::uint32_t, std::uint64_t> all[] = {
      {DMA_BLOCK_ID, dma_base}, {VECTOR_BLOCK_ID, vector_base}, {MULTIMEM_BLOCK_ID, multimem_base}};
  for (const auto& [id, base] : all)
    if (id == block && instance == 0) return base;
  return 0;
}

std::uint64_t node::load(std::uint64_t address, std::uint64_t bytes) {
  spend_access();
  return peek(address, bytes);
}

void node::store(std::uint64_t address, std::uint64_t value, std::uint64_t bytes) {
  spend_access();
  if (is_register(address, dma_base)) return dma_.write(address - dma_base, value);
  if (is_register(address, vector_base)) return vector_.write(address - vector_base, value);
  if (is_register(address, multimem_base)) return multimem_.write(address - multimem_base, value);
  std::memcpy(own(address, bytes, core_write), &value, bytes);
}

bool node::wait(std::function<bool()> condition, std::uint64_t timeout, awaited what) {
  condition_ = std::move(condition);
  waits_for_ = what;
  spend_access();
  const std::uint64_t deadline = cluster_.events().now() + timeout;
  const std::uint64_t number = ++waits_;
  if (timeout != 0) {
    cluster_.events().schedule(timeout, [this, number] {
      if (is_waiting_ && waits_ == number) resume();
    });
  }
  while (!condition_()) {
    if (timeout != 0 && cluster_.events().now() >= deadline) return false;
    is_waiting_ = true;
    fiber_.suspend();
    is_waiting_ = false;
  }
  return true;
}

std::string node::waits_for() const {
  if (waits_for_.address == 0) return "the next job";
  return "address " + std::to_string(waits_for_.address) + " to reach " +
         std::to_string(waits_for_.count);
}

void node::poke() {
  if (!is_waiting_ || is_waking_ || !condition_()) return;
  is_waking_ = true;
  cluster_.events().schedule(cluster_.times().access(), [this] {
    is_waking_ = false;
    if (is_waiting_) resume();
  });
}

std::uint32_t node::next_job() {
  cluster_.arrive();
  const std::uint32_t mine = jobs_++;
  wait([this, mine] { return cluster_.posted_jobs() > mine; }, 0, {});
  spend(cluster_.times().skew());
  return mine < cluster_.job_count() ? mine : HAL_NO_JOB;
}

void node::mark(bool is_end) {
  is_end ? cluster_.mark_end(rank_) : cluster_.mark_start();
}

dma_descriptor node::fetch(std::uint64_t address) {
  dma_descriptor descriptor;
  std::memcpy(&descriptor, own(address, sizeof descriptor, engine_read), sizeof descriptor);
  return descriptor;
}

std::vector<std::byte> node::read(std::uint64_t source, std::uint64_t bytes) {
  const std::byte* from = own(source, bytes, engine_read);
  return {from, from + bytes};
}

void node::copy(std::uint64_t destination, const std::vector<std::byte>& bytes) {
  node& target = cluster_.owner_of(destination);
  std::memcpy(target.own(destination, bytes.size(), peer_write), bytes.data(), bytes.size());
  target.memory_changed();
}

void node::write(std::uint64_t destination, std::uint32_t value) {
  node& target = cluster_.owner_of(destination);
  std::memcpy(target.own(destination, sizeof value, peer_write), &value, sizeof value);
  target.memory_changed();
}

void node::memory_changed() {
  dma_.memory_changed();
  poke();
}

void node::reduce(const dma_descriptor& descriptor) {
  const auto type = static_cast<dtype>((descriptor.control & DMA_DTYPE_MASK) >> DMA_DTYPE_POS);
  const auto op = static_cast<reduce_op>((descriptor.control & DMA_OP_MASK) >> DMA_OP_POS);
  heddle::reduce(type, op, own(descriptor.destination, descriptor.length, engine_write),
                 own(descriptor.source, descriptor.length, engine_read),
                 descriptor.length / size_of(type));
  poke();
}

// Members see the addition at different times.
void node::post_add(std::uint64_t address, std::uint64_t addend) {
  spend_access();
  const std::uint64_t offset = address - multimem_unit::region;
  for (std::uint32_t member = 0; member < members(); ++member)
    cluster_.events().schedule(cluster_.times().write(), [this, member, offset, addend] {
      node& target = cluster_.owner_of(window_of(member));
      std::byte* place = target.memory_.at(offset, sizeof addend, peer_write);
      std::uint64_t word = 0;
      std::memcpy(&word, place, sizeof word);
      word += addend;
      std::memcpy(place, &word, sizeof word);
      target.poke();
    });
}

std::uint32_t node::members() const {
  return cluster_.options().ranks;
}

std::vector<std::byte> node::load_own(std::uint64_t address, std::uint64_t bytes) {
  return read(address, bytes);
}

void node::store_own(std::uint64_t address, const std::vector<std::byte>& bytes) {
  std::memcpy(own(address, bytes.size(), engine_write), bytes.data(), bytes.size());
}

std::vector<std::byte> node::load_reduced(std::uint64_t offset, std::uint64_t bytes, dtype type,
                                          reduce_op op) {
  if (!cluster_.have_all_started()) throw std::runtime_error("loads before all ranks have come");
  std::vector<const std::byte*> operands;
  for (std::uint32_t member = 0; member < members(); ++member)
    operands.push_back(cluster_.owner_of(window_of(member)).memory_.at(offset, bytes, engine_read));
  std::vector<std::byte> result(bytes);
  accumulate(type, op, operands, result.data(), bytes / size_of(type));
  return result;
}

void node::store_at(std::uint32_t member, std::uint64_t offset,
                    const std::vector<std::byte>& bytes) {
  if (!cluster_.have_all_started()) throw std::runtime_error("stores before all ranks have come");
  node& target = cluster_.owner_of(window_of(member));
  std::memcpy(target.memory_.at(offset, bytes.size(), peer_write), bytes.data(), bytes.size());
  target.poke();
}

// Credits for messages in lines go on from job to job. Windows begin at multiples of 2^32.
bool node::may_come_late(std::uint64_t destination) const {
  const std::uint32_t credits = flag_behind(cluster_.options().ranks, FLAG_LINES);
  return static_cast<std::uint32_t>(destination) ==
         memory_.offset_of("flags") + credits * sizeof(std::uint32_t);
}

std::uint32_t node::execute(const vector_operation& operation) {
  const auto type = static_cast<dtype>((operation.operation & VECTOR_OPERATION_DTYPE_MASK) >>
                                       VECTOR_OPERATION_DTYPE_POS);
  const auto op = static_cast<reduce_op>((operation.operation & VECTOR_OPERATION_OP_MASK) >>
                                         VECTOR_OPERATION_OP_POS);
  const std::uint64_t bytes = operation.elements * size_of(type);
  const bool is_in_lines = (operation.operation & VECTOR_OPERATION_LINES_MASK) != 0;
  const std::byte* const source =
      own(operation.source, is_in_lines ? lines_of(bytes) * LINE_BYTES : bytes, engine_read);
  std::byte* const destination = own(operation.destination, bytes, engine_write);
  const std::uint32_t missing = is_in_lines ? take_lines(operation, source, destination, bytes) : 0;
  if (!is_in_lines) heddle::reduce(type, op, destination, source, operation.elements);
  poke();
  return missing;
}

}  // namespace heddle::test
