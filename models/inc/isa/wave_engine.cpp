#include "models/inc/isa/wave_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/system_findings.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr int no_line = -1;
constexpr std::uint32_t scale_size = 2;  // fp16

std::uint32_t block_bytes_of(const quantization& quant) {
  return static_cast<std::uint32_t>(quant.block * quant.bits / 8);
}

bandwidth rate_of(const isa_parameters& p) {
  constexpr double fs_per_second = 1e15;
  const double bytes = static_cast<double>(p.bytes_per_cycle());
  return bandwidth(
      static_cast<std::uint64_t>(bytes * fs_per_second / static_cast<double>(p.cycle().fs)));
}

// What a netlist asks for; what firmware writes into wave_bytes is checked at the push.
void check_waves(const unit& owner, const isa_parameters& p) {
  const std::uint64_t table = p.table().bytes, wave = p.wave().bytes;
  const std::string values = fmt::format("{}: `wave` of {} in a `table` of {}", owner.path(),
                                         p.wave.text(), p.table.text());
  if (wave > table) throw user_error(values + ": the table does not hold one");
  if (table / wave > wave_table::most_entries)
    throw user_error(fmt::format("{} are {} entries, a wave table has up to {}", values,
                                 table / wave, wave_table::most_entries));
}

}  // namespace

wave_engine::wave_engine(unit& owner, instruction_source& source, isa_transport& transport,
                         isa_counters& counters, const isa_parameters& p)
    : owner_(owner),
      source_(source),
      transport_(transport),
      counters_(counters),
      table_bytes_(static_cast<std::uint32_t>(p.table().bytes)),
      scale_table_bytes_(static_cast<std::uint32_t>(p.scale_table().bytes)),
      write_queue_(static_cast<std::uint32_t>(p.write_queue())),
      rate_(rate_of(p)),
      streams_packets_(p.readout.index() == 1),
      issue_(p.issue() * p.cycle().fs),
      latency_(p.latency() * p.cycle().fs),
      quantized_latency_(p.quantized_latency() * p.cycle().fs),
      carries_data_(owner.sim().settings().carries_data),
      wave_bytes_(static_cast<std::uint32_t>(p.wave().bytes)),
      controllers_(p.controllers()),
      controller_free_(timed_call::to<wave_engine, &wave_engine::issue>(*this)),
      accumulators_(p.accumulators()),
      accumulator_free_(timed_call::to<wave_engine, &wave_engine::reduce_ready>(*this)),
      taken_(timed_queue<portion>::to<wave_engine, &wave_engine::release_taken>(*this)),
      computed_(timed_queue<portion>::to<wave_engine, &wave_engine::write_computed>(*this)) {
  check_waves(owner, p);
}

// Accelerators that are alike say it once.
void wave_engine::warn_of_trains() const {
  const std::uint32_t train = owner_.sim().settings().train;
  const std::uint32_t piece = transport_.piece_bytes();
  if (!streams_packets_ || piece < wave_bytes_ || piece / train >= wave_bytes_) return;
  const std::string text = fmt::format(
      "`readout: packet` does what `readout: wave` does: a train of {} packets holds {}, and a "
      "wave of in-switch accelerators {}; `train: 1` reads out each packet",
      train, format_bytes(piece), format_bytes(wave_bytes_));
  std::vector<std::string>& warnings = owner_.sim().service<system_findings>().warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

void wave_engine::start(int ports) {
  tables_.resize(static_cast<std::size_t>(ports));
  warn_of_trains();
  set_wave_bytes(wave_bytes_);
  const trace_scope scope(owner_.sim().trace(), owner_.path());
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    accumulators_[i].trace = scope.bit(i == 0 ? "accumulator" : fmt::format("accumulator_{}", i));
    accumulators_[i].trace.set(false, 0);
  }
  for (int i = 0; i < ports; ++i) {
    occupancy_.push_back(scope.vector(fmt::format("table_{}", i), 8));
    occupancy_.back().set(0, 0);
  }
  for (int i = 0; i < std::max(entries_, 1); ++i) {
    lines_.push_back(scope.state<wave_state>(fmt::format("wave_{}", i),
                                             {"IDLE", "WAITING", "READY", "REDUCE", "WRITE"}));
    lines_.back().set(wave_state::idle, 0);
  }
}

void wave_engine::set_wave_bytes(std::uint32_t bytes) {
  wave_bytes_ = bytes;
  entries_ =
      static_cast<int>(std::min<std::uint32_t>(table_bytes_ / bytes, wave_table::most_entries));
  for (wave_table& each : tables_) each.resize(entries_);
}

void wave_engine::issue() {
  if (is_issuing_) return;
  is_issuing_ = true;
  for (bool is_progress = true; is_progress;) {
    is_progress = false;
    for (controller& each : controllers_) is_progress |= step(each);
  }
  is_issuing_ = false;
}

// Makes one wave, or ends an instruction of which there is nothing left to make.
bool wave_engine::step(controller& stepped) {
  if (!stepped.current) stepped.current = source_.next_instruction();
  isa_instruction* instruction = stepped.current;
  if (!instruction) return false;
  const fs_t now = now_fs();
  if (stepped.free_at > now) {
    controller_free_.at(stepped.free_at);
    return false;
  }
  if (instruction->failure != isa_error::NONE) {
    stepped = {};
    if (instruction->open_waves == 0) source_.instruction_ended(*instruction);
    return true;
  }
  if (!has_free_entries(instruction->source)) {
    if (stepped.stalled_since == fs_never) stepped.stalled_since = now;
    return false;
  }
  const cause why = stepped.stalled_since != fs_never ? slot_why_ : running_cause::copy();
  if (stepped.stalled_since != fs_never) counters_.slot_wait += now - stepped.stalled_since;
  stepped.stalled_since = fs_never;
  stepped.free_at = now + issue_;
  const std::uint32_t bytes =
      std::min(longest_wave(*instruction), instruction->length - instruction->issued);
  if (instruction->issued + bytes == instruction->length) stepped.current = nullptr;
  issue_wave(*instruction, bytes, why);
  return true;
}

bool wave_engine::has_free_entries(member_mask sources) const {
  bool is_free = true;
  for_each_member(sources, [&](int member) { is_free = is_free && tables_[member].has_free(); });
  return is_free;
}

// A wave holds whole elements and blocks, and is shorter where the scales of a full one would not
// fit into the table's share of an entry.
std::uint32_t wave_engine::longest_wave(const isa_instruction& instruction) const {
  if (!holds_a_wave()) return 0;
  if (instruction.is_quantized) return longest_quantized_wave(instruction.quant);
  const auto element = static_cast<std::uint32_t>(size_of(instruction.type));
  return wave_bytes_ / element * element;
}

std::uint32_t wave_engine::longest_quantized_wave(const quantization& quant) const {
  const std::uint32_t scales =
      scale_table_bytes_ / static_cast<std::uint32_t>(entries_) / scale_size;
  return std::min(wave_bytes_ / block_bytes_of(quant), scales) * block_bytes_of(quant);
}

std::string wave_engine::obstacle_to(const quantization& quant) const {
  if (longest_quantized_wave(quant) > 0) return {};
  if (wave_bytes_ < block_bytes_of(quant))
    return fmt::format("{} has waves of {} B (`wave`), a block of {} elements of {} bits has {} B",
                       owner_.path(), wave_bytes_, quant.block, quant.bits, block_bytes_of(quant));
  return fmt::format(
      "{} has a `scale_table` of {} B for {}, which is no room for a scale of {} B each: "
      "`scale_table` has to be {} B or more",
      owner_.path(), scale_table_bytes_, counted(static_cast<std::uint64_t>(entries_), "wave"),
      scale_size, static_cast<std::uint32_t>(entries_) * scale_size);
}

std::string wave_engine::more_waves() const {
  const std::uint32_t whole =
      last_quant_ ? wave_bytes_ / block_bytes_of(*last_quant_) * block_bytes_of(*last_quant_) : 0;
  const std::uint32_t longest = last_quant_ ? longest_quantized_wave(*last_quant_) : 0;
  if (longest == whole) {
    const bool has_most_entries = entries_ == static_cast<int>(wave_table::most_entries);
    return fmt::format(
        "{} has entries for {} of {}{}: a larger `table`{} lets more data be under "
        "way.",
        owner_.path(), counted(static_cast<std::uint64_t>(entries_), "wave"),
        format_bytes(wave_bytes_), has_most_entries ? ", the most there are" : "",
        has_most_entries ? " with a longer `wave`"
        : last_quant_    ? ", and `scale_table` with it,"
                         : "");
  }
  const std::uint32_t needed =
      static_cast<std::uint32_t>(entries_) * scale_size * whole / block_bytes_of(*last_quant_);
  return fmt::format(
      "Waves of {} are {} instead of {}, because the scales of {}-bit elements in blocks of {} "
      "fill "
      "its `scale_table` of {}: `scale_table: {}` has room for those of whole waves.",
      owner_.path(), format_bytes(longest), format_bytes(whole), last_quant_->bits,
      last_quant_->block, format_bytes(scale_table_bytes_), format_bytes(needed));
}

void wave_engine::issue_wave(isa_instruction& instruction, std::uint32_t bytes, const cause& why) {
  wave& w = take_wave();
  w.issued = why;
  w.issued.mark(category::wave_slot, owner_.site(), now_fs());
  const running_cause issuing(w.issued);
  w.instruction = &instruction;
  w.step = steps_.next();
  w.offset = instruction.issued;
  w.bytes = bytes;
  w.scale_bytes = instruction.scales_of(bytes);
  w.waiting = instruction.source;
  if (streams_packets_ && !instruction.is_quantized)
    w.missing.assign((bytes + transport_.piece_bytes() - 1) / transport_.piece_bytes(),
                     static_cast<std::uint8_t>(count_of(instruction.source)));
  instruction.issued += bytes;
  ++instruction.open_waves;
  last_quant_.reset();
  if (instruction.is_quantized) last_quant_ = instruction.quant;
  show(w, wave_state::waiting, now_fs(), now_fs());
  for_each_member(instruction.source, [&](int member) { request_operand(w, member); });
}

// Scales first, then the data (SCIN 3.4, item 4).
void wave_engine::request_operand(wave& w, int member) {
  const isa_instruction& instruction = *w.instruction;
  wave_table& table = tables_[member];
  const int entry = table.reserve(w, w.bytes, w.scale_bytes);
  w.entries[member] = static_cast<std::uint8_t>(entry);
  counters_.peak_waves.raise_to(static_cast<std::uint64_t>(table.used()));
  show_table(member);
  const auto request = [&](bool is_scale, std::uint64_t address, std::uint32_t bytes) {
    for (std::uint32_t done = 0; done < bytes; done += transport_.piece_bytes())
      transport_.read(member, address + done, std::min(transport_.piece_bytes(), bytes - done),
                      wave_position{entry, is_scale, done}.tag(), w.step);
  };
  request(true, instruction.scale_address[member] + instruction.scales_of(w.offset), w.scale_bytes);
  request(false, instruction.address[member] + w.offset, w.bytes);
  counters_.operand_bytes += w.bytes;
}

void wave_engine::take_read_response(int member, packet& response) {
  const wave_position position = wave_position::of(response.tag);
  const std::uint32_t bytes = response.payload_bytes;
  wave_entry& entry = tables_[member].store(response);
  wave& w = *entry.of;
  if (response.is_error) fail(*w.instruction, isa_error::BUS, mask_of(member));
  if (entry.is_ready()) w.waiting &= ~mask_of(member);
  if (w.waiting == 0) show(w, wave_state::ready, now_fs(), now_fs());
  if (!w.missing.empty()) {
    if (--w.missing[position.offset / transport_.piece_bytes()] == 0)
      make_ready({&w, position.offset, bytes, 0, {}, {}, {}});
  } else if (w.waiting == 0) {
    make_ready({&w, 0, w.bytes, w.scale_bytes, {}, {}, {}});
  }
}

void wave_engine::end_if_done(wave& w) {
  if (w.taken < w.bytes || w.computed < w.bytes || w.writes_left > 0) return;
  isa_instruction& instruction = *w.instruction;
  ++counters_.waves;
  give_back(w);
  --instruction.open_waves;
  const bool is_held =
      std::any_of(controllers_.begin(), controllers_.end(),
                  [&](const controller& each) { return each.current == &instruction; });
  if (instruction.open_waves == 0 && !is_held) source_.instruction_ended(instruction);
}

// The first failure counts. Requests that are outstanding complete; no more are sent.
void wave_engine::fail(isa_instruction& failed, isa_error error, member_mask culprit) {
  if (failed.failure != isa_error::NONE) return;
  failed.failure = error;
  failed.culprit = culprit;
}

wave& wave_engine::take_wave() {
  wave& taken = waves_.take();
  taken.line = no_line;
  if (free_lines_ != 0) {
    taken.line = __builtin_ctzll(free_lines_);
    free_lines_ &= free_lines_ - 1;
  }
  return taken;
}

void wave_engine::give_back(wave& ended) {
  show(ended, wave_state::idle, now_fs(), now_fs());
  if (ended.line != no_line) free_lines_ |= std::uint64_t{1} << ended.line;
  waves_.give_back(ended);
}

// Results on their way to memory outlive their table entries: more waves than lines are possible.
void wave_engine::show(wave& w, wave_state state, fs_t when, fs_t now) {
  if (w.line >= 0 && w.line < static_cast<int>(lines_.size()))
    lines_[static_cast<std::size_t>(w.line)].set(state, when, now);
}

void wave_engine::show_table(int member) {
  occupancy_[member].set(static_cast<std::uint64_t>(tables_[member].used()), now_fs());
}

std::string wave_engine::waiting_for() const {
  member_mask members = 0;
  int waiting = 0, writing = 0;
  for (std::uint32_t index = 0; index < waves_.size(); ++index) {
    const wave& each = waves_.at(index);  // one that is not in use waits for nobody
    waiting += each.waiting != 0 ? 1 : 0;
    writing += each.writes_left > 0 ? 1 : 0;
    members |= each.waiting;
  }
  std::string text;
  if (waiting > 0)
    text = fmt::format("operands of {} waves from {}", waiting, transport_.names_of(members));
  if (writing > 0)
    text += fmt::format("{}write responses of {} waves", text.empty() ? "" : ", ", writing);
  return text;
}

}  // namespace heddle
