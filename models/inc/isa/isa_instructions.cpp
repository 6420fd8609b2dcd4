// Instructions from the push to their end.
#include <fmt/format.h>

#include <utility>

#include "models/inc/isa/isa.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/hardware_span.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t address_limit = std::uint64_t{1} << 48;  // SCIN Fig 6
constexpr std::uint32_t scale_alignment = 2;                     // fp16
constexpr std::uint64_t flag_bytes = 8;

}  // namespace

const char* isa_name_of(isa_error error) {
  static const std::vector<std::string> names = isa_regs::stream_status_error_names().names();
  return names[static_cast<std::size_t>(error)].c_str();
}

std::unique_ptr<isa_instruction> isa_unit::staged(const isa_stream& stream) const {
  const auto block = regs_.stream[stream.index];
  auto made = std::make_unique<isa_instruction>();
  made->stream = stream.index;
  made->id = block.instruction.value();
  made->is_barrier = block.operation.barrier.get() == isa_regs::stream_operation_barrier::YES;
  if (!made->is_barrier) {
    made->length = block.length.value();
    made->source = block.source.value();
    made->destination = block.destination.value();
  }
  made->type = static_cast<dtype>(block.operation.dtype.get());
  made->op = static_cast<reduce_op>(block.operation.op.get());
  made->is_quantized = block.operation.quant.get() == isa_regs::stream_operation_quant::YES;
  made->quant.bits = block.operation.bits.get() == isa_regs::stream_operation_bits::INT4 ? 4 : 8;
  made->quant.block = std::size_t{1} << block.operation.block.get();
  made->syncs = block.operation.sync.get() == isa_regs::stream_operation_sync::YES;
  made->fences = block.operation.fence.get() == isa_regs::stream_operation_fence::YES;
  made->notifies = block.operation.notify.get() == isa_regs::stream_operation_notify::YES;
  for (int member = 0; member < most_members; ++member)
    made->address[member] = regs_
                                .address[static_cast<std::size_t>(stream.index) * most_members +
                                         static_cast<std::size_t>(member)]
                                .operand.value();
  return made;
}

// Single-address mode: the one address stands for the same place in every member's memory.
isa_error isa_unit::translate(isa_instruction& instruction, std::uint32_t bytes) const {
  const std::uint64_t address = instruction.address[0];
  for (std::size_t i = 0; i < regs_.region.size(); ++i) {
    const auto region = regs_.region[i];
    if (address < region.base.value() || address - region.base.value() >= region.size.value())
      continue;
    const std::uint64_t inside = address - region.base.value();
    if (bytes > region.size.value() - inside) return isa_error::UNMAPPED;
    for (int member = 0; member < most_members; ++member)
      instruction.address[member] = regs_.member[static_cast<std::size_t>(member)].base.value() +
                                    region.offset.value() + inside;
    return isa_error::NONE;
  }
  return isa_error::UNMAPPED;
}

void isa_unit::push(isa_stream& stream) {
  if (stream.is_refusing) return;
  const auto block = regs_.stream[stream.index];
  auto pushed = staged(stream);
  const std::uint32_t id = pushed->id;
  const bool is_scale = block.operation.scale.get() == isa_regs::stream_operation_scale::YES;
  member_mask culprit = 0;
  isa_error error = isa_error::NONE;
  if (block.status.state.get() == state::ERROR) {
    error = block.status.error.get();
    culprit = block.culprit.value();
  } else if (!pushed->is_barrier &&
             block.operation.single.get() == isa_regs::stream_operation_single::YES) {
    error =
        translate(*pushed, !is_scale         ? pushed->length
                           : stream.unpaired ? stream.unpaired->scales_of(stream.unpaired->length)
                                             : 0);
  }
  if (error == isa_error::NONE && stream.unpaired && !is_scale) error = isa_error::NO_SCALE;
  if (error == isa_error::NONE)
    error = is_scale ? pair_scales(stream, *pushed, culprit) : refusal(stream, *pushed, culprit);
  if (error != isa_error::NONE) {
    stream.unpaired.reset();
    stream.is_refusing = true;
    return refuse(stream, error, culprit, fmt::format("instruction {}", id));
  }
  if (is_scale) pushed = std::move(stream.unpaired);
  if (pushed->is_quantized && !is_scale) {
    stream.unpaired = std::move(pushed);
    return;
  }
  record(stream, *pushed);
  stream.waiting.push_back(std::move(pushed));
  show_state(stream);
  engine_.issue();
}

isa_error isa_unit::refusal_of_barrier(const isa_stream& stream, const isa_instruction& pushed,
                                       member_mask& culprit) const {
  const member_mask members = regs_.stream[stream.index].members.value();
  if (pushed.is_quantized || members == 0) return isa_error::BAD_OPERATION;
  culprit = members & ~transport_.present();
  return culprit == 0 ? isa_error::NONE : isa_error::UNKNOWN_MEMBER;
}

isa_error isa_unit::refusal_of_operands(const isa_stream& stream, const isa_instruction& pushed,
                                        member_mask& culprit) const {
  const std::uint32_t element =
      pushed.is_quantized ? 1 : static_cast<std::uint32_t>(size_of(pushed.type));
  const bool is_known = can_accumulate(pushed.type) && pushed.op <= reduce_op::max;
  const bool is_quantizable =
      !pushed.is_quantized || (pushed.op == reduce_op::sum && pushed.quant.is_valid());
  if (!is_known || !is_quantizable || pushed.source == 0 || pushed.destination == 0)
    return isa_error::BAD_OPERATION;
  const member_mask members = pushed.source | pushed.destination;
  culprit = members & ~(regs_.stream[stream.index].members.value() & transport_.present());
  if (culprit != 0) return isa_error::UNKNOWN_MEMBER;
  if (pushed.length == 0) return isa_error::ZERO_LENGTH;
  if (!engine_.holds_a_wave()) return isa_error::WAVE_TOO_LARGE;
  if (engine_.longest_wave(pushed) == 0) return isa_error::WAVE_TOO_SMALL;
  if (pushed.length % element != 0) return isa_error::UNALIGNED;
  for_each_member(members, [&](int member) {
    if (pushed.address[member] % element != 0) culprit |= mask_of(member);
  });
  return culprit == 0 ? isa_error::NONE : isa_error::UNALIGNED;
}

isa_error isa_unit::refusal(const isa_stream& stream, const isa_instruction& pushed,
                            member_mask& culprit) const {
  const isa_error error = pushed.is_barrier ? refusal_of_barrier(stream, pushed, culprit)
                                            : refusal_of_operands(stream, pushed, culprit);
  if (error != isa_error::NONE) return error;
  const auto block = regs_.stream[stream.index];
  if (pushed.notifies && block.flag_offset.value() % flag_bytes != 0) {
    culprit = block.members.value();
    return isa_error::UNALIGNED;
  }
  if (stream.waiting.size() >= queue_entries_) return isa_error::QUEUE_FULL;
  return unmapped(stream, pushed, culprit);
}

isa_error isa_unit::unmapped(const isa_stream& stream, const isa_instruction& pushed,
                             member_mask& culprit) const {
  const auto block = regs_.stream[stream.index];
  for_each_member(pushed.source | pushed.destination, [&](int member) {
    const std::uint64_t address = pushed.address[member];
    if (address >= address_limit || !transport_.maps(member, address, pushed.length))
      culprit |= mask_of(member);
  });
  if (pushed.notifies)
    for_each_member(block.members.value(), [&](int member) {
      const std::uint64_t flag =
          regs_.member[static_cast<std::size_t>(member)].base.value() + block.flag_offset.value();
      if (!transport_.maps(member, flag, flag_bytes)) culprit |= mask_of(member);
    });
  return culprit == 0 ? isa_error::NONE : isa_error::UNMAPPED;
}

isa_error isa_unit::pair_scales(isa_stream& stream, const isa_instruction& scales,
                                member_mask& culprit) {
  if (!stream.unpaired) return isa_error::BAD_OPERATION;
  isa_instruction& paired = *stream.unpaired;
  const std::uint32_t bytes = paired.scales_of(paired.length);
  const member_mask members = paired.source | paired.destination;
  paired.scale_address = scales.address;
  for_each_member(members, [&](int member) {
    if (scales.address[member] % scale_alignment != 0) culprit |= mask_of(member);
  });
  if (culprit != 0) return isa_error::UNALIGNED;
  for_each_member(members, [&](int member) {
    const std::uint64_t address = scales.address[member];
    if (address >= address_limit || !transport_.maps(member, address, bytes))
      culprit |= mask_of(member);
  });
  return culprit == 0 ? isa_error::NONE : isa_error::UNMAPPED;
}

// Nothing has happened and nothing stops; error and culprit stay until the host clears the stream's
// interrupt. Those of a stream that has stopped stay until its reset.
void isa_unit::refuse(isa_stream& stream, isa_error error, member_mask culprit,
                      const std::string& about) {
  ++counters_.errors;
  const auto block = regs_.stream[stream.index];
  if (block.status.state.get() != state::ERROR) {
    block.status.error.set(error);
    block.culprit.set(culprit);
  }
  events_.raise(1U << stream.index);
  if (about.empty()) return;
  std::string text = fmt::format("{}: {}", about, isa_name_of(error));
  if (culprit != 0) text += fmt::format(" ({})", transport_.names_of(culprit));
  regs_.report(block.push, text);
}

// Takes the arrivals that the stream's next instruction has waited for.
bool isa_unit::may_start(isa_stream& stream) {
  if (!stream.may_start()) return false;
  if (!stream.waiting.front()->syncs) return true;
  if (stream.arrived != regs_.stream[stream.index].members.value()) return false;
  counters_.sync_wait += now_fs() - stream.first_arrival;
  set_arrived(stream, 0);
  return true;
}

isa_instruction* isa_unit::next_instruction() {
  for (std::size_t tries = 0; tries < streams_.size(); ++tries) {
    isa_stream& stream = *streams_[static_cast<std::size_t>(next_stream_)];
    next_stream_ = static_cast<int>((static_cast<std::size_t>(next_stream_) + 1) % streams_.size());
    while (may_start(stream)) {
      isa_instruction& started = *stream.waiting.front();
      started.started = now_fs();
      started.number = started_++;
      if (!started.is_barrier) own(started);
      stream.active.push_back(std::move(stream.waiting.front()));
      stream.waiting.pop_front();
      show_state(stream);
      if (!started.is_barrier) return &started;
      instruction_ended(started);
    }
  }
  return nullptr;
}

void isa_unit::instruction_ended(isa_instruction& ended) {
  ended.is_complete = true;
  disown(ended);
  counters_.instruction_time += now_fs() - ended.started;
  sim().service<hardware_spans>().worked(ended.id, ended.started, now_fs());
  isa_stream& stream = *streams_[static_cast<std::size_t>(ended.stream)];
  retire(stream);
  engine_.issue();
}

// In order: completion of one means completion of all before it.
void isa_unit::retire(isa_stream& stream) {
  const auto block = regs_.stream[stream.index];
  while (!stream.active.empty() && stream.active.front()->is_complete) {
    const auto ended = std::move(stream.active.front());
    stream.active.pop_front();
    if (ended->failure != isa_error::NONE) {
      if (!stream.is_resetting) stop(stream, ended->failure, ended->culprit);
      continue;
    }
    ++counters_.instructions;
    block.completed.add(1);
    if (!ended->notifies || block.status.state.get() == state::ERROR) continue;
    notify(stream, block.members.value(), isa_error::NONE);
  }
  if (stream.active.empty()) stream.is_resetting = false;
  show_state(stream);
}

void isa_unit::stop(isa_stream& stream, isa_error error, member_mask culprit) {
  const auto block = regs_.stream[stream.index];
  if (block.status.state.get() == state::ERROR) return;
  refuse(stream, error, culprit, {});
  regs_.report(block.counter, fmt::format("stream {} stops: {} ({})", stream.index,
                                          isa_name_of(error), transport_.names_of(culprit)));
  block.status.state.set(state::ERROR);
  stream.told_early = error == isa_error::MISSING_MEMBER ? culprit : 0;
  stream.waiting.clear();
  stream.unpaired.reset();
  for (const auto& each : stream.active) engine_.fail(*each, error, culprit);
  set_arrived(stream, 0);
  notify(stream, block.members.value(), error);
}

// Outstanding requests complete normally; their results are discarded and no interrupt is raised.
// What arrives or is pushed meanwhile waits.
void isa_unit::reset(isa_stream& stream) {
  stream.waiting.clear();
  stream.unpaired.reset();
  stream.is_resetting = !stream.active.empty();
  for (const auto& each : stream.active) engine_.fail(*each, isa_error::BUS, 0);
  regs_.stream[stream.index].status.state.set(state::IDLE);
  forget_error(stream);
  set_arrived(stream, 0);
}

}  // namespace heddle
