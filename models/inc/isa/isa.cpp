// Registers and synchronization. What instructions go through is in isa_instructions.cpp.
#include "models/inc/isa/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/services/tenant_directory.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/packetizer/origin_header.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t flag_tag = 3U << 30;  // tells flags from results

HEDDLE_REGISTER_UNIT(isa_unit,
                     describe_unit<isa_unit>("isa",
                                             "in-switch accelerator: reduces and broadcasts by "
                                             "instruction",
                                             isa_regs::markdown));

}  // namespace

std::vector<port_description> isa_unit::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"},
          {"inc", "in-network device", "the switch that it sits in"}};
}

isa_stream::isa_stream(isa_unit& unit, int number)
    : owner(unit),
      index(number),
      watchdog(timed_call::to<isa_stream, &isa_stream::expire>(*this)) {}

void isa_stream::expire() {
  owner.expire(*this);
}

isa_unit::isa_unit(const unit_context& context, const parameters& p)
    : unit(context),
      base_(p.base().value),
      queue_entries_(static_cast<std::uint32_t>(p.queue())),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      events_(*this, regs_,
              [this](std::uint64_t cleared) {
                for_each_member(cleared, [this](int stream) { forget_error(*streams_[stream]); });
              }),
      transport_(*this, *this, p),
      inc_port_(*this, "inc", transport_),
      engine_(*this, *this, transport_, counters_, p),
      resume_(timed_call::to<wave_engine, &wave_engine::reduce_ready>(engine_)),
      buffers_(sim(), this->path(), [this](tlm::tlm_generic_payload& payload) {
        return packetizer::debug_far(sim(), payload);
      }) {
  sim().service<reduction_directory>().sources.push_back(this);
  sim().service<tenant_directory>().rooms[&regs_] = static_cast<std::uint32_t>(p.streams());
  regs_.streams.set(static_cast<std::uint32_t>(p.streams()));
  regs_.table_bytes.set(static_cast<std::uint32_t>(p.table().bytes));
  regs_.wave_bytes.set(static_cast<std::uint32_t>(p.wave().bytes));
  regs_.queue_entries.set(queue_entries_);
  sim().service<fabric>().add_registers(transport_.endpoint(), regs_, base_);
  regs_.wave_bytes.on_write([this](std::uint64_t before, std::uint64_t now) {
    const bool is_possible = is_quiet() && now >= 8 && now < wave_position::most_bytes;
    if (is_possible) return engine_.set_wave_bytes(static_cast<std::uint32_t>(now));
    regs_.report(regs_.wave_bytes,
                 "instructions wait or are under way, or so many bytes make no wave");
    regs_.wave_bytes.set(static_cast<std::uint32_t>(before));
  });
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < static_cast<int>(p.streams()); ++i) {
    isa_stream& stream = *streams_.emplace_back(std::make_unique<isa_stream>(*this, i));
    regs_.stream[i].push.on_write([this, &stream](std::uint64_t, std::uint64_t) { push(stream); });
    regs_.stream[i].control.on_write([this, &stream](std::uint64_t, std::uint64_t) {
      if (regs_.stream[stream.index].control.reset.get() == isa_regs::stream_control_reset::YES)
        reset(stream);
    });
    const trace_scope of_stream = scope.child(fmt::format("stream_{}", i));
    stream.state_trace = of_stream.state<state>("state", isa_regs::stream_status_state_names());
    stream.arrived_trace = of_stream.vector("arrived", most_members);
    stream.queued_trace = of_stream.vector("queued", 16);
    stream.state_trace.set(state::IDLE, 0);
    stream.arrived_trace.set(0, 0);
    stream.queued_trace.set(0, 0);
  }
}

std::string isa_unit::remedy(category what) const {
  return what == category::wave_slot ? engine_.more_waves() : "";
}

void isa_unit::on_connected() {
  transport_.start(inc_port_);
  engine_.start(inc_port_.port_count());
  regs_.present.set(transport_.present());
  for_each_member(transport_.present(), [this](int member) {
    regs_.member[static_cast<std::size_t>(member)].base.set(transport_.base_of(member));
  });
}

void isa_unit::forget_error(isa_stream& stream) {
  const auto block = regs_.stream[stream.index];
  if (block.status.state.get() == state::ERROR) return;
  block.status.error.set(isa_error::NONE);
  block.culprit.set(0);
  stream.is_refusing = false;
}

bool isa_unit::is_quiet() const {
  return engine_.is_idle() && std::all_of(streams_.begin(), streams_.end(), [](const auto& each) {
           return each->waiting.empty() && each->active.empty() && !each->unpaired;
         });
}

void isa_unit::take_request(int port, packet& request) {
  const std::uint64_t offset = request.address - base_;
  if (request.kind == packet_kind::atomic_request) {
    for (const auto& stream : streams_)
      if (offset == isa_regs::stream_counter_offset(static_cast<std::size_t>(stream->index)))
        return arrive(port, stream->index, request);
    request.is_error = true;
  } else {
    perform(request);
  }
  transport_.respond(port, request);
}

// Performs an access of a member to a word of the registers.
void isa_unit::perform(packet& request) {
  const bool is_read = request.kind == packet_kind::read_request;
  if (is_read) request.payload = payload_slice::allocate(request.payload_bytes);
  request.carries_data = true;
  std::uint64_t nothing = 0;
  void* bytes = request.payload ? static_cast<void*>(request.payload.data()) : &nothing;
  tlm::tlm_generic_payload access;
  set_access(access, is_read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
             request.address - base_, bytes, request.payload_bytes);
  sc_core::sc_time delay;
  auto* const firmware = request.header.as<origin_header>();
  if (firmware) access.set_extension(&firmware->origin);
  regs_.b_transport(access, delay);
  if (firmware) access.clear_extension(&firmware->origin);
  request.is_error = !access.is_response_ok();
}

void isa_unit::arrive(int port, int index, packet& request) {
  isa_stream& stream = *streams_[static_cast<std::size_t>(index)];
  std::uint64_t count = 0;
  std::memcpy(&count, request.payload.data(), sizeof count);
  const std::uint64_t before = regs_.stream[index].counter.value();
  std::memcpy(request.payload.data(), &before, sizeof before);
  const bool is_refused = is_arrival_refused(stream, port, count);
  request.is_error = is_refused;
  transport_.respond(port, request);
  if (is_refused) return;
  ++counters_.arrivals;
  if (regs_.stream[index].status.state.get() == state::ERROR) return tell(stream, port);
  if (stream.arrived == 0) {
    stream.first_arrival = now_fs();
    watch(stream);
  }
  set_arrived(stream, stream.arrived | mask_of(port));
  engine_.issue();
}

// To arrive at a stream that has stopped is answered by the error: once, where all were told then.
void isa_unit::tell(isa_stream& stream, int late) {
  const bool knows = (stream.told_early & mask_of(late)) != 0;
  stream.told_early &= ~mask_of(late);
  if (!knows) notify(stream, mask_of(late), regs_.stream[stream.index].status.error.get());
}

bool isa_unit::is_arrival_refused(isa_stream& stream, int member, std::uint64_t count) {
  const auto block = regs_.stream[stream.index];
  const bool is_member = (block.members.value() & mask_of(member)) != 0;
  if (is_member && count == 1 && (stream.arrived & mask_of(member)) == 0) return false;
  const isa_error error = is_member ? isa_error::ARRIVED_TWICE : isa_error::NOT_A_MEMBER;
  const std::string what = !is_member   ? "is not a member of the stream"
                           : count != 1 ? fmt::format("counts {} at once", count)
                                        : "has arrived already: the counter would overflow";
  regs_.report(block.counter, fmt::format("{} {}", transport_.name_of(member), what));
  refuse(stream, error, mask_of(member), {});
  return true;
}

void isa_unit::set_arrived(isa_stream& stream, member_mask arrived) {
  stream.arrived = arrived;
  stream.arrived_trace.set(arrived, now_fs());
  regs_.stream[stream.index].counter.set(static_cast<std::uint64_t>(count_of(arrived)));
  show_state(stream);
}

void isa_unit::watch(isa_stream& stream) {
  const fs_t when = watchdog_due(stream);
  if (when != fs_never) stream.watchdog.at(when);
}

fs_t isa_unit::watchdog_due(const isa_stream& stream) const {
  const std::uint64_t limit = regs_.stream[stream.index].watchdog.value();
  const bool is_set = limit != 0 && limit < (fs_never - stream.first_arrival) / fs_per_ns;
  return is_set ? stream.first_arrival + limit * fs_per_ns : fs_never;
}

// The watchdog may go off too soon, where an earlier round of arrivals has set it: then it is set
// anew.
void isa_unit::expire(isa_stream& stream) {
  const auto block = regs_.stream[stream.index];
  if (stream.arrived == 0) return;
  if (now_fs() < watchdog_due(stream)) return watch(stream);
  const member_mask missing = block.members.value() & ~stream.arrived;
  if (missing == 0) return;  // they wait for an instruction
  stop(stream, isa_error::MISSING_MEMBER, missing);
}

// Adds, so that the accelerators of several planes can share a flag.
void isa_unit::notify(isa_stream& stream, member_mask members, isa_error error) {
  const auto block = regs_.stream[stream.index];
  const std::uint64_t operand = static_cast<std::uint64_t>(error) << 32 | 1U;
  for_each_member(members, [&](int member) {
    const std::uint64_t address =
        regs_.member[static_cast<std::size_t>(member)].base.value() + block.flag_offset.value();
    if (!transport_.maps(member, address, sizeof operand)) return;
    next_flag_ = (next_flag_ + 1) & ~flag_tag;
    transport_.add(member, address, operand, flag_tag | next_flag_);
  });
}

// Nobody waits for the response to a flag.
void isa_unit::take_write_response(int member, packet& response) {
  if ((response.tag & flag_tag) != flag_tag) engine_.take_write_response(member, response);
}

// Called while the port sends: the accumulator goes on a moment later.
void isa_unit::writes_left(int member) {
  engine_.note_room(transport_.latest_start(member));
  resume_.at(now_fs());
}

void isa_unit::show_state(isa_stream& stream) {
  const auto status = regs_.stream[stream.index].status;
  if (status.state.get() != state::ERROR)
    status.state.set(!stream.active.empty()                           ? state::RUN
                     : stream.arrived != 0 || !stream.waiting.empty() ? state::WAIT
                                                                      : state::IDLE);
  stream.state_trace.set(status.state.get(), now_fs());
  regs_.stream[stream.index].queued.set(static_cast<std::uint32_t>(stream.waiting.size()));
  stream.queued_trace.set(stream.waiting.size(), now_fs());
}

std::string isa_unit::waiting_for() const {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const auto& each : streams_) {
    const auto block = regs_.stream[each->index];
    const member_mask missing = block.members.value() & ~each->arrived;
    if (block.status.state.get() == state::ERROR)
      add(fmt::format("stream {} to be reset after {} ({})", each->index,
                      isa_name_of(block.status.error.get()),
                      transport_.names_of(block.culprit.value())));
    if (each->unpaired)
      add(fmt::format("the scale instruction of instruction {} of stream {}", each->unpaired->id,
                      each->index));
    if (each->arrived != 0 && missing != 0)
      add(fmt::format("{} to arrive at stream {}", transport_.names_of(missing), each->index));
    else if (each->arrived != 0)
      add(fmt::format("an instruction for stream {}, where all have arrived", each->index));
  }
  const std::string waves = engine_.waiting_for();
  if (!waves.empty()) add(waves);
  return text;
}

}  // namespace heddle
