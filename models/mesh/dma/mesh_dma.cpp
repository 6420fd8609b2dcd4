#include "models/mesh/dma/mesh_dma.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/mesh/ni/network_interface.hpp"
#include "platform/number/power_of_two.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/no_data.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(mesh_dma, describe_unit<mesh_dma>("mesh_dma",
                                                       "DMA engine of a mesh's tile, with "
                                                       "collectives",
                                                       mesh_dma_regs::markdown));

constexpr std::uint32_t beats_of(std::uint32_t bytes) {
  return (bytes + flit_payload_bytes - 1) / flit_payload_bytes;
}

}  // namespace

std::vector<port_description> mesh_dma::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "the tile's own memory"},
          {"fabric", "memory initiator", "other tiles, and collectives; non-blocking"}};
}

mesh_dma::mesh_dma(const unit_context& context, const parameters& p)
    : unit(context),
      local_base_(p.local_base().value),
      local_size_(p.local_size().bytes),
      burst_bytes_(static_cast<std::uint32_t>(p.burst().bytes)),
      buffer_beats_(std::max<std::size_t>(p.buffer(), beats_of(burst_bytes_))),
      queue_(p.queue()),
      most_writes_(p.writes()),
      launch_(p.launch()),
      read_(p.read()),
      local_write_(p.local_write()),
      status_(p.status()),
      carries_data_(sim().settings().carries_data),
      payloads_(sim().service<flit_payloads>()),
      open_(sim().service<open_transfers>()),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory", local_requester::calls::to<mesh_dma, &mesh_dma::end_local>(*this)),
      fabric_socket_("fabric", far_requester::calls::to<mesh_dma, &mesh_dma::end_far>(*this)),
      memory_port_(*this, "memory", memory_socket_),
      fabric_port_(*this, "fabric", fabric_socket_),
      no_data_(sim().service<no_data>().room_for(p.burst().bytes)),
      buffers_(sim(), this->path(), memory_socket_) {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  regs_.start.on_write([this](std::uint32_t, std::uint32_t) { queue_transfer(); });
  const trace_scope scope(sim().trace(), path());
  state_trace_ = scope.state<state>("state", mesh_dma_regs::status_state_names());
  state_trace_.set(state::IDLE, 0);
}

// Bursts are cut from the beginning of a transfer, so all of their beats but the last are whole.
// The members of a reduction have to cut theirs alike, whose addresses differ by multiples of a
// tile's, which is a power of two. The interface of the same tile would refuse longer bursts one by
// one, and takes a beat in a cycle of both.
void mesh_dma::on_connected() {
  const auto tile_of = [](const std::string& one) { return one.substr(0, one.rfind('.')); };
  const fs_t cycle = clock_.domain().period();
  if (burst_bytes_ % flit_payload_bytes != 0)
    throw user_error(fmt::format("{}: a burst of {} B is no whole number of beats of {} B", path(),
                                 burst_bytes_, flit_payload_bytes));
  if (!is_power_of_two(burst_bytes_))
    throw user_error(
        fmt::format("{}: a burst of {} B is no power of two: the tiles of a reduction "
                    "would cut their data at different places",
                    path(), burst_bytes_));
  for (const network_interface* each : sim().service<mesh_tiles>().all) {
    if (tile_of(each->path()) != tile_of(path())) continue;
    if (each->longest() < burst_bytes_)
      throw user_error(fmt::format("{}: a burst of {} B is longer than {} takes: `longest` is {} B",
                                   path(), burst_bytes_, each->path(), each->longest()));
    if (each->map().tile_size() < burst_bytes_)
      throw user_error(
          fmt::format("{}: a burst of {} B is longer than a tile of {}: `tile_size` is "
                      "{} B",
                      path(), burst_bytes_, each->path(), each->map().tile_size()));
    if (each->cycle() != cycle)
      throw user_error(fmt::format("{}: a cycle of {} is not that of {}, which is {}", path(),
                                   format_duration(cycle), each->path(),
                                   format_duration(each->cycle())));
  }
}

void mesh_dma::queue_transfer() {
  if (is_stopped_) return;
  transfer asked;
  asked.source = regs_.source.value();
  asked.destination = regs_.destination.value();
  asked.mask = regs_.mask.value();
  asked.bytes = regs_.length.value();
  asked.op = static_cast<flit_op>(regs_.operation.op.get());
  const std::string mistake = mistake_in(asked);
  if (!mistake.empty()) return fail(error::BAD_TRANSFER, mistake);
  if (work_.size() == queue_)
    return fail(error::QUEUE_FULL, fmt::format("{} transfers are queued already", queue_));
  const fs_t period = clock_.domain().period();
  asked.number = queued_++;
  asked.not_before = (now_fs() + period - 1) / period + launch_;
  asked.why = running_cause::copy();
  asked.why.then(category::doorbell, site(), asked.not_before * period);
  if (asked.op != flit_op::unicast) ++counters_.collectives;
  work_.push_back(asked);
  open_.begin();
  own(asked);
  show_state(state::BUSY);
  clock_.wake(asked.not_before);
}

std::string mesh_dma::mistake_in(const transfer& asked) {
  const auto op = static_cast<int>(asked.op);
  const bool is_known =
      asked.op == flit_op::unicast || asked.op == flit_op::multicast || is_arithmetic(asked.op);
  if (!is_known || asked.op > last_flit_op)
    return fmt::format("{} is no operation of a transfer", op);
  if (asked.bytes != 0 && (asked.source | asked.destination | asked.bytes) % 8 == 0) return {};
  return fmt::format(
      "cannot move {} B from {:#x} to {:#x} by operation {}: addresses and lengths "
      "are multiples of 8",
      asked.bytes, asked.source, asked.destination, op);
}

void mesh_dma::fail(error reason, const std::string& what) {
  ++counters_.errors;
  is_stopped_ = true;
  disown_all();
  regs_.status.error.set(reason);
  show_state(state::ERROR);
  regs_.report(regs_.start, what);
  sim().service<run_control>().fail(path() + ": " + what);
}

void mesh_dma::show_state(state now) {
  if (regs_.status.state.get() == state::BUSY) counters_.busy += now_fs() - state_since_;
  state_since_ = now_fs();
  regs_.status.state.set(now);
  state_trace_.set(now, now_fs());
}

// Bursts end at burst boundaries, as AXI wants it: those of both sides, so that a burst is written
// from whole beats.
std::uint32_t mesh_dma::burst_at(const transfer& work, std::uint32_t done) const {
  std::uint32_t bytes = work.bytes - done;
  for (const std::uint64_t each : {work.source + done, work.destination + done})
    bytes = std::min(bytes, static_cast<std::uint32_t>(burst_bytes_ - each % burst_bytes_));
  return bytes;
}

std::uint32_t mesh_dma::beat_at(const transfer& work, std::uint32_t done) const {
  return std::min<std::uint32_t>(burst_at(work, done), flit_payload_bytes);
}

void mesh_dma::evaluate(cycle_t now) {
  publish_due_news(now);
  finish_due_local_writes(now);
  if (is_stopped_) return;
  advance_reads(now);
  if (is_stopped_) return;
  advance_writes(now);
  if (!local_writes_.empty()) clock_.wake(std::max(now + 1, local_writes_.front().visible));
}

void mesh_dma::publish_due_news(cycle_t now) {
  for (; !news_.empty() && news_.front().visible <= now; news_.pop_front()) {
    late_news& next = news_.front();
    next.why.then(category::completion, site(), now_fs());
    const running_cause telling(next.why);
    auto& told = next.what == news::completed ? regs_.completed : regs_.handed_over;
    told.add(1);
  }
  if (!news_.empty()) clock_.wake(news_.front().visible);
}

void mesh_dma::finish_due_local_writes(cycle_t now) {
  while (!local_writes_.empty() && local_writes_.front().visible <= now) {
    const local_write done = local_writes_.front();
    local_writes_.pop_front();
    cause why = work_[done.number - work_.front().number].why;
    why.then(category::memory, site(), now_fs());
    finish_write(done.number, done.bytes, now, why);
  }
}

// The oldest transfer that is not read completely, and no other.
void mesh_dma::advance_reads(cycle_t now) {
  for (transfer& each : work_) {
    if (each.arrived == each.bytes) continue;
    if (each.not_before <= now) read(each);
    return;
  }
}

// The oldest transfer that is not written completely, and no other. The buffer is emptied in order:
// a local write waits until the network has taken the beats of the transfers before it.
void mesh_dma::advance_writes(cycle_t now) {
  bool is_front_beat_ours = true;
  for (transfer& each : work_) {
    if (each.begun == each.bytes) {
      is_front_beat_ours = is_front_beat_ours && each.taken == each.bytes;
      continue;
    }
    if (each.op != flit_op::unicast || !is_local(each.destination))
      write(each);
    else if (is_front_beat_ours)
      write_local(each, now);
    return;
  }
}

void mesh_dma::read(transfer& work) {
  if (work.asked == 0) work.why.then(category::queueing, site(), now_fs());
  if (is_local(work.source)) return read_local(work);
  while (!is_stopped_ && work.asked < work.bytes) {
    const std::uint32_t bytes = burst_at(work, work.asked);
    if (reserved_ + beats_of(bytes) > buffer_beats_) return;
    reserved_ += beats_of(bytes);
    const std::uint64_t from = work.source + work.asked;
    work.asked += bytes;
    cause why = work.why;
    const running_cause beginning(why);
    begin_far(tlm::TLM_READ_COMMAND, work, from, bytes);
  }
}

// A beat a cycle, while the buffer has room.
void mesh_dma::read_local(transfer& work) {
  if (reserved_ == buffer_beats_) return;  // who takes a beat wakes this unit
  if (memory_socket_.open() > 0) return;   // and so does the end of the access
  payload_handle beat = 0;
  if (carries_data_) {
    beat = payloads_.take();
    payloads_.at(beat).words = {};
  }
  access_memory(tlm::TLM_READ_COMMAND, work, work.source + work.asked, beat,
                beat_at(work, work.asked));
}

void mesh_dma::end_local_read(const local_requester::access& over, cycle_t done, cycle_t now) {
  const std::uint32_t bytes = over.get_data_length();
  transfer& work = *over.context.work;
  buffer({over.context.beat, std::max(now + 1, done) + read_});
  ++reserved_;
  work.asked += bytes;
  work.arrived += bytes;
  counters_.bytes_read += bytes;
  clock_.wake(now + 1);
}

// One beat. A memory that does not answer at once gets the next one when it has answered.
void mesh_dma::access_memory(tlm::tlm_command command, transfer& work, std::uint64_t address,
                             payload_handle beat, std::uint32_t bytes) {
  local_requester::access& access = memory_socket_.take();
  access.context = {&work, beat};
  access.bulk.is_carried = carries_data_;
  void* data = beat ? static_cast<void*>(payloads_.at(beat).bytes.data()) : no_data_;
  set_access(access, command, address, data, bytes);
  memory_socket_.send(access);
}

void mesh_dma::end_local(local_requester::access& over, fs_t delay) {
  if (!over.is_response_ok())
    return fail(error::BUS, fmt::format("bus error: {} B at {:#x}", over.get_data_length(),
                                        over.get_address()));
  if (is_stopped_) return;
  const fs_t period = clock_.domain().period();
  const cycle_t done = (now_fs() + delay + period - 1) / period;
  const cycle_t now = now_fs() / period;
  if (over.is_read())
    end_local_read(over, done, now);
  else
    end_local_write(over, done, now);
}

// Why the next burst of the transfer can be written now: its first beat has arrived, and the answer
// to an earlier burst made room for it.
cause mesh_dma::why_begun(const transfer& work) const {
  cause why = work.why;
  if (why) why.join(answered_);
  const fs_t now = now_fs();
  if (!is_local(work.source)) {
    why.then(category::queueing, site(), now);
    return why;
  }
  const fs_t before = beats_of(work.begun) * clock_.domain().period();
  why.then(category::serialization, site(), std::min(now, why.when() + before));
  why.then(category::memory, site(), now);
  return why;
}

// A burst begins when its first beat is in the buffer. The beats of all bursts leave in order.
void mesh_dma::write(transfer& work) {
  while (!is_stopped_ && work.arrived > work.begun && far_writes_ < most_writes_) {
    const std::uint32_t bytes = burst_at(work, work.begun);
    const std::uint64_t to = work.destination + work.begun;
    work.begun += bytes;
    ++far_writes_;
    cause why = why_begun(work);
    const running_cause beginning(why);
    begin_far(tlm::TLM_WRITE_COMMAND, work, to, bytes);
  }
}

void mesh_dma::write_local(transfer& work, cycle_t now) {
  if (beats_.empty()) return;             // an arrival wakes this unit
  if (memory_socket_.open() > 0) return;  // and so does the end of the access
  const buffered_beat next = beats_.front();
  if (next.available > now) return clock_.wake(next.available);
  beats_.pop_front();
  --reserved_;
  access_memory(tlm::TLM_WRITE_COMMAND, work, work.destination + work.begun, next.beat,
                beat_at(work, work.begun));
}

void mesh_dma::end_local_write(const local_requester::access& over, cycle_t done, cycle_t now) {
  const std::uint32_t bytes = over.get_data_length();
  transfer& work = *over.context.work;
  payloads_.give_back(over.context.beat);
  work.begun += bytes;
  local_writes_.push_back({done + local_write_, work.number, bytes});
  take(work, bytes);
  clock_.wake(now + 1);
}

void mesh_dma::begin_far(tlm::tlm_command command, const transfer& work, std::uint64_t address,
                         std::uint32_t bytes) {
  far_requester::access& access = fabric_socket_.take();
  burst& begun = access.context;
  begun.is_read = command == tlm::TLM_READ_COMMAND;
  begun.bytes = bytes;
  begun.number = work.number;
  begun.beats.stream = this;
  begun.beats.is_known = false;
  begun.beats.refusal = nullptr;
  begun.beats.op = begun.is_read ? flit_op::unicast : work.op;
  begun.beats.mask = work.mask;
  set_access(access, command, address, no_data_, bytes);
  access.set_extension(&begun.beats);
  is_begun_ = true;
  fabric_socket_.send(access);
  is_begun_ = false;
}

void mesh_dma::refuse(const far_requester::access& refused) {
  const beat_extension& beats = refused.context.beats;
  std::string why;
  if (beats.refusal) why = fmt::format(": {}", beats.refusal);
  if (!beats.is_known)
    why = ": what is bound to `fabric` takes no beats as a network interface does";
  fail(error::BUS, fmt::format("the network refuses {} B at {:#x}{}; behind `memory` are {} B from "
                               "{:#x} (`local_base`)",
                               refused.get_data_length(), refused.get_address(), why, local_size_,
                               local_base_));
}

void mesh_dma::end_far(far_requester::access& over, fs_t) {
  const burst& done = over.context;
  if (!done.beats.is_known || (is_begun_ && !over.is_response_ok())) return refuse(over);
  if (!over.is_response_ok())
    fail(error::BUS, fmt::format("bus error at {:#x}", over.get_address()));
  else if (!done.is_read)
    finish_far(done);
}

void mesh_dma::finish_far(const burst& done) {
  --far_writes_;
  answered_ = running_cause::copy();
  finish_write(done.number, done.bytes, now_fs() / clock_.domain().period(), answered_);
}

// Transfers complete in order.
void mesh_dma::finish_write(std::uint32_t number, std::uint32_t bytes, cycle_t now,
                            const cause& why) {
  if (is_stopped_) return;
  transfer& work = work_[number - work_.front().number];
  work.written += bytes;
  work.done.join(why);
  counters_.bytes_written += bytes;
  clock_.wake(now + 1);
  if (work_.front().written < work_.front().bytes) return;
  while (!work_.empty() && work_.front().written == work_.front().bytes) {
    ++counters_.transfers;
    disown(buffer_use::destination, work_.front());
    show(news::completed, std::move(work_.front().done));
    work_.pop_front();
    open_.end();
  }
  show_state(work_.empty() ? state::IDLE : state::BUSY);
}

// `bytes` more bytes of the transfer have left the buffer.
void mesh_dma::take(transfer& work, std::uint32_t bytes) {
  work.taken += bytes;
  if (work.taken < work.bytes) return;
  disown(buffer_use::source, work);
  cause why = work.why;
  why.then(category::serialization, site(), now_fs());
  show(news::handed_over, std::move(why));
}

void mesh_dma::show(news what, cause why) {
  news_.push_back({now_fs() / clock_.domain().period() + status_, what, std::move(why)});
  clock_.wake(news_.front().visible);
}

void mesh_dma::buffer(const buffered_beat& arrived) {
  beats_.push_back(arrived);
  if (awaits_beat_) awaits_beat_->wake(arrived.available);
  awaits_beat_ = nullptr;
}

cycle_t mesh_dma::next_beat(const clock_member& asking) {
  if (!beats_.empty()) return beats_.front().available;
  awaits_beat_ = &asking;
  return never;
}

payload_handle mesh_dma::take_beat(cycle_t) {
  const payload_handle taken = beats_.front().beat;
  beats_.pop_front();
  --reserved_;
  for (transfer& each : work_) {
    if (each.taken == each.bytes) continue;
    take(each, beat_at(each, each.taken));
    break;
  }
  clock_.wake(clock_.domain().next_cycle());
  return taken;
}

void mesh_dma::put_beat(payload_handle beat, cycle_t available) {
  for (transfer& each : work_) {
    if (each.arrived == each.bytes) continue;
    const std::uint32_t bytes = beat_at(each, each.arrived);
    each.arrived += bytes;
    counters_.bytes_read += bytes;
    running_cause::join_into(each.why);
    break;
  }
  available += read_;
  buffer({beat, available});
  clock_.wake(available);
}

std::string mesh_dma::waiting_for() const {
  if (is_stopped_) return "firmware to see that it has stopped";
  if (work_.empty()) return {};
  const transfer& oldest = work_.front();
  return fmt::format("a {} of {} B to {:#x}: {} B arrived, {} B answered", name_of(oldest.op),
                     oldest.bytes, oldest.destination, oldest.arrived, oldest.written);
}

}  // namespace heddle
