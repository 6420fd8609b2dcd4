// Waves from READY to memory: the accumulator and the writes of its results.
#include <algorithm>

#include "models/inc/isa/wave_engine.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/tensor/quantized_sum.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t write_tag = 1U << 31;  // tells writes from reads

}  // namespace

// What is in the pipeline has room of its own, besides that of the write queues.
bool wave_engine::has_room(const portion& p) const {
  const isa_instruction& instruction = *p.of->instruction;
  if (instruction.failure != isa_error::NONE) return true;
  const std::uint32_t wanted = transport_.packets(p.bytes) + transport_.packets(p.scale_bytes);
  const auto in_pipeline = static_cast<std::uint32_t>(
      latency_of(instruction) / std::max<fs_t>(1, rate_.duration(wave_bytes_)));
  const std::uint32_t room = (write_queue_ + in_pipeline) *
                             (transport_.packets(wave_bytes_) + transport_.packets(p.scale_bytes));
  bool fits = true;
  for_each_member(instruction.destination, [&](int member) {
    fits = fits && transport_.write_backlog(member) + wanted <= std::max(room, wanted);
  });
  return fits;
}

fs_t wave_engine::latency_of(const isa_instruction& instruction) const {
  if (instruction.is_pass_through()) return 0;
  return instruction.is_quantized ? quantized_latency_ : latency_;
}

wave_engine::accumulator& wave_engine::accumulator_of(const portion& p) {
  const auto first = static_cast<std::size_t>(__builtin_ctzll(p.of->instruction->source));
  return accumulators_[first * accumulators_.size() / tables_.size()];
}

// Members that are apart do not wait for each other: the first wave that has room goes, of those
// whose accumulator is free.
void wave_engine::reduce_ready() {
  const fs_t now = now_fs();
  while (!ready_.empty()) {
    bool waits_for_room = false;
    fs_t free_at = fs_never;  // the first accumulator of those that are waited for
    const auto next = std::find_if(ready_.begin(), ready_.end(), [&](const portion& each) {
      const fs_t when = accumulator_of(each).free_at;
      if (when > now) {
        free_at = std::min(free_at, when);
        return false;
      }
      const bool fits = has_room(each);
      waits_for_room = waits_for_room || !fits;
      return fits;
    });
    if (next == ready_.end()) {
      if (free_at != fs_never) accumulator_free_.at(free_at);
      if (waits_for_room && write_wait_since_ == fs_never) write_wait_since_ = now;
      return;
    }
    if (write_wait_since_ != fs_never) counters_.write_wait += now - write_wait_since_;
    write_wait_since_ = fs_never;
    portion first = std::move(*next);
    ready_.erase(next);
    reduce(first);
  }
}

void wave_engine::make_ready(portion ready) {
  ready.why = running_cause::copy();
  ready_.push_back(std::move(ready));
  reduce_ready();
}

void wave_engine::reduce(portion& p) {
  const fs_t now = now_fs();
  wave& w = *p.of;
  const isa_instruction& instruction = *w.instruction;
  w.why = p.why;
  if (instruction.failure != isa_error::NONE) {
    w.computed += p.bytes;
    taken_.push(now, std::move(p));
    return;
  }
  const fs_t taking = rate_.duration(p.bytes);
  accumulator& taker = accumulator_of(p);
  explain_start(p, taker, now, taking);
  taker.free_at = now + taking;
  counters_.accumulator_busy += taking;
  taker.trace.set(true, now);
  taker.trace.set(false, now + taking, now);
  show(w, wave_state::reduce, now, now);
  taken_.push(now + taking, p);
  if (carries_data_) compute(p);
  for_each_member(instruction.destination, [&](int member) {
    transport_.reserve(member, transport_.packets(p.bytes) + transport_.packets(p.scale_bytes));
  });
  computed_.push(now + latency_of(instruction), std::move(p));
}

// Every member has its leaf in the tree; those that contribute nothing are absent.
void wave_engine::compute(portion& p) {
  const wave& w = *p.of;
  const isa_instruction& instruction = *w.instruction;
  const auto entry = [&](int member) -> const wave_entry& {
    return tables_[member].at(w.entries[member]);
  };
  if (instruction.is_pass_through()) {
    p.result = entry(__builtin_ctzll(instruction.source)).data.from(p.offset);
    return;
  }
  const std::size_t elements = instruction.elements_of(p.bytes);
  p.result = payload_slice::allocate(p.bytes);
  if (!instruction.is_quantized) {
    operands_.assign(tables_.size(), nullptr);
    for_each_member(instruction.source,
                    [&](int member) { operands_[member] = entry(member).data.data() + p.offset; });
    return accumulate(instruction.type, instruction.op, operands_, p.result.data(), elements);
  }
  quantized_operands_.assign(tables_.size(), {});
  for_each_member(instruction.source, [&](int member) {
    quantized_operands_[member] = {entry(member).data.data(), entry(member).scale.data()};
  });
  p.scales = payload_slice::allocate(p.scale_bytes);
  quantized_sum(instruction.quant, quantized_operands_.data(), quantized_operands_.size(), elements,
                p.result.data(), p.scales.data());
}

void wave_engine::explain_start(portion& p, accumulator& taker, fs_t now, fs_t taking) {
  if (!p.why) return;
  if (p.why.when() < now) p.why.join(taker.why);
  if (p.why.when() < now) p.why.join(room_why_);
  p.why.then(category::queueing, owner_.site(), now);
  p.of->why = p.why;
  taker.why = p.why;
  taker.why.then(category::reduction, owner_.site(), now + taking);
}

// Why the next wave gets the entries. When the way since the last issue of a wave was mostly
// latency, what comes next has waited for entries of the table, and more of them would help; when
// it was mostly waiting for wires, those are the reason.
cause wave_engine::slot_of(const wave& taken) const {
  cause issued = taken.why.back_to(category::wave_slot, owner_.site());
  const fs_t since = issued.when();
  const fs_t on_wires =
      taken.why.spent(category::serialization, since) + taken.why.spent(category::queueing, since);
  if (issued && 2 * on_wires < taken.why.when() - since) return issued;
  cause released = taken.why;
  released.then(category::reduction, owner_.site(), now_fs());
  return released;
}

void wave_engine::release_taken() {
  for (portion due; taken_.pop_due(now_fs(), due);) {
    wave& w = *due.of;
    w.taken += due.bytes;
    if (w.taken < w.bytes) continue;
    for_each_member(w.instruction->source, [&](int member) {
      tables_[member].release(w.entries[member]);
      show_table(member);
    });
    slot_why_ = slot_of(w);
    end_if_done(w);
  }
  // The next instruction may find free entries in tables of other members.
  const running_cause freed(slot_why_);
  issue();
  reduce_ready();
}

void wave_engine::write_computed() {
  for (portion due; computed_.pop_due(now_fs(), due);) {
    write_result(due);
    due.of->computed += due.bytes;
    end_if_done(*due.of);
  }
}

// Scales follow the data of their wave (SCIN 3.4, item 4).
void wave_engine::write_result(portion& p) {
  wave& w = *p.of;
  const isa_instruction& instruction = *w.instruction;
  const fs_t now = now_fs();
  cause computed = p.why;
  computed.then(category::reduction, owner_.site(), now);
  const running_cause writing(computed);
  show(w, wave_state::write, now, now);
  const std::uint32_t offset = w.offset + p.offset;
  for_each_member(instruction.destination, [&](int member) {
    w.writes_left +=
        write_in_pieces(w, member, instruction.address[member] + offset, p.result, p.bytes, now);
    w.writes_left += write_in_pieces(
        w, member, instruction.scale_address[member] + instruction.scales_of(offset), p.scales,
        p.scale_bytes, now + rate_.duration(p.bytes));
    counters_.result_bytes += p.bytes;
  });
}

std::uint32_t wave_engine::write_in_pieces(wave& w, int member, std::uint64_t address,
                                           const payload_slice& bytes, std::uint32_t count,
                                           fs_t first_ready) {
  std::uint32_t pieces = 0;
  for (std::uint32_t done = 0; done < count; done += transport_.piece_bytes(), ++pieces) {
    const std::uint32_t part = std::min(transport_.piece_bytes(), count - done);
    std::uint32_t tag = 0;
    if (free_writes_.empty()) {
      tag = static_cast<std::uint32_t>(writes_.size());
      writes_.push_back(&w);
    } else {
      tag = free_writes_.back();
      free_writes_.pop_back();
      writes_[tag] = &w;
    }
    transport_.write(member, address + done, bytes.from(done), part, write_tag | tag,
                     first_ready + rate_.duration(done + part), w.step);
  }
  return pieces;
}

void wave_engine::take_write_response(int member, packet& response) {
  const std::uint32_t tag = response.tag & ~write_tag;
  wave& w = *writes_[tag];
  writes_[tag] = nullptr;
  free_writes_.push_back(tag);
  --w.writes_left;
  if (response.is_error) fail(*w.instruction, isa_error::BUS, mask_of(member));
  end_if_done(w);
}

}  // namespace heddle
