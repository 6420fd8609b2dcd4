#include "platform/debug/gdb_commands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/debug/gdb_descriptions.hpp"
#include "platform/debug/hex.hpp"

namespace heddle {
namespace {

// Replies of the remote protocol. The number of an error is one of errno.
constexpr const char* ok = "OK";
constexpr const char* not_supported = "";  // gdb then does without the packet
constexpr const char* no_reply = "";       // before the next stop
constexpr const char* mistake = "E01";     // EPERM: the packet is malformed or names no such thing
constexpr const char* no_access = "E0e";   // EFAULT: the memory or the register cannot be accessed

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

// "ADDRESS,LENGTH" at the front.
struct memory_range {
  std::uint64_t address = 0, bytes = 0;
};

bool take_range(std::string_view& text, memory_range& range) {
  const auto address = hex::take_number(text);
  if (!address || !take_prefix(text, ",")) return false;
  const auto bytes = hex::take_number(text);
  if (!bytes) return false;
  range = {*address, *bytes};
  return true;
}

// Registers travel in the order of memory.
std::string register_text(std::uint64_t value, int bits) {
  return hex::from_bytes(
      {reinterpret_cast<const char*>(&value), static_cast<std::size_t>(bits / 8)});
}

bool register_value(std::string_view text, int bits, std::uint64_t& value) {
  const auto bytes = hex::to_bytes(text);
  if (!bytes || bytes->size() != static_cast<std::size_t>(bits / 8)) return false;
  value = 0;
  std::copy(bytes->begin(), bytes->end(), reinterpret_cast<char*>(&value));
  return true;
}

const debug_register* find_register(const debug_target& core, std::uint64_t number) {
  for (const debug_register& each : core.debug_registers())
    if (each.number == number) return &each;
  return nullptr;
}

}  // namespace

gdb_commands::gdb_commands(const std::vector<debug_target*>& targets, monitor run_monitor)
    : targets_(targets), points_(targets), monitor_(std::move(run_monitor)) {}

bool gdb_commands::find_thread(text number, std::size_t& index) const {
  if (number == "-1" || number == "0") return true;
  const auto found = hex::number(number);
  if (!found || *found == 0 || *found > targets_.size()) return false;
  index = static_cast<std::size_t>(*found) - 1;
  return true;
}

gdb_answer gdb_commands::take(text packet) {
  if (packet.empty()) return {not_supported};
  if (packet == "QStartNoAckMode") return {ok, gdb_answer::action::stop_acknowledging};
  const char kind = packet.front();
  const text rest = packet.substr(1);
  switch (kind) {
    case 'c':
    case 'C':
    case 's':
    case 'S':
      return resume_one(rest, kind);
    case 'v':
      return take_named(rest);
    case 'D':
      return {ok, gdb_answer::action::detach};
    case 'k':
      return {no_reply, gdb_answer::action::kill};
    default:
      return {reply_to(packet)};
  }
}

// Packets with a name behind the letter v.
gdb_answer gdb_commands::take_named(text packet) {
  if (packet == "Cont?") return {"vCont;c;C;s;S"};
  if (take_prefix(packet, "Cont;")) return resume_some(packet);
  if (take_prefix(packet, "Kill;")) return {ok, gdb_answer::action::kill};
  return {not_supported};
}

std::string gdb_commands::reply_to(text packet) {
  const char kind = packet.front();
  const text rest = packet.substr(1);
  std::size_t thread = current_;
  switch (kind) {
    case '?':
      return last_stop_;
    case 'q':
      return query(packet);
    case 'H':
      return set_thread(rest);
    case 'T':
      return find_thread(rest, thread) ? ok : mistake;
    case 'g':
      return read_registers();
    case 'G':
      return write_registers(rest);
    case 'p':
      return read_register(rest);
    case 'P':
      return write_register(rest);
    case 'm':
      return read_memory(rest);
    case 'M':
    case 'X':
      return write_memory(rest, kind == 'X');
    case 'Z':
    case 'z':
      return change_point(rest, kind == 'Z');
    default:
      return not_supported;
  }
}

std::string gdb_commands::query(text packet) {
  if (take_prefix(packet, "qSupported"))
    return fmt::format(
        "PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;swbreak+;"
        "hwbreak+;vContSupported+",
        packet_bytes);
  if (packet == "qAttached") return "1";  // gdb detaches when it ends
  if (packet == "qC") return fmt::format("QC{:x}", current_ + 1);
  if (packet == "qfThreadInfo") {
    std::string list = "m";
    for (std::size_t i = 1; i <= targets_.size(); ++i)
      list += fmt::format("{}{:x}", i > 1 ? "," : "", i);
    return list;
  }
  if (packet == "qsThreadInfo") return "l";
  if (take_prefix(packet, "qThreadExtraInfo,")) {
    std::size_t thread = current_;
    if (!find_thread(packet, thread)) return mistake;
    return hex::from_bytes(targets_[thread]->debug_name() + ": " + targets_[thread]->debug_state());
  }
  if (take_prefix(packet, "qXfer:")) return read_document(packet);
  if (take_prefix(packet, "qRcmd,")) return run_monitor(packet);
  return not_supported;
}

std::string gdb_commands::read_document(text packet) {
  const text object = take_until(packet, ':');
  if (take_until(packet, ':') != "read") return not_supported;
  const text name = take_until(packet, ':');
  memory_range part;
  std::string document;
  if (object == "features" && name == "target.xml")
    document = describe_target(*targets_.front());
  else if (object == "threads" && name.empty())
    document = describe_threads(targets_);
  else
    return object == "features" || object == "threads" ? "E00" : not_supported;
  if (!take_range(packet, part) || !packet.empty()) return mistake;
  if (part.address >= document.size()) return "l";
  const std::uint64_t room = std::min<std::uint64_t>(part.bytes, packet_bytes / 2);
  const bool is_last = room >= document.size() - part.address;
  return (is_last ? "l" : "m") +
         document.substr(static_cast<std::size_t>(part.address), static_cast<std::size_t>(room));
}

std::string gdb_commands::run_monitor(text packet) {
  const auto words = hex::to_bytes(packet);
  if (!words) return mistake;
  const std::string said = monitor_(*words);
  return said.empty() ? ok : hex::from_bytes(said);
}

std::string gdb_commands::set_thread(text packet) {
  if (packet.empty()) return mistake;
  packet.remove_prefix(1);  // what for: we resume by vCont
  return find_thread(packet, current_) ? ok : mistake;
}

std::string gdb_commands::read_registers() {
  std::string all;
  for (unsigned i = 0; i < current().general_registers(); ++i) {
    std::uint64_t value = 0;
    current().read_register(i, value);
    all += register_text(value, current().debug_registers()[i].bits);
  }
  return all;
}

std::string gdb_commands::write_registers(text packet) {
  std::size_t all_digits = 0;
  for (unsigned i = 0; i < current().general_registers(); ++i)
    all_digits += static_cast<std::size_t>(current().debug_registers()[i].bits / 4);
  if (packet.size() < all_digits) return mistake;  // before any of them is written
  for (unsigned i = 0; i < current().general_registers(); ++i) {
    const int bits = current().debug_registers()[i].bits;
    const auto digits = static_cast<std::size_t>(bits / 4);
    std::uint64_t value = 0, before = 0;
    if (!register_value(packet.substr(0, digits), bits, value)) return mistake;
    packet.remove_prefix(digits);
    current().read_register(i, before);
    if (value != before && !current().write_register(i, value)) return no_access;
  }
  return ok;
}

std::string gdb_commands::read_register(text packet) {
  const auto number = hex::number(packet);
  const debug_register* found = number ? find_register(current(), *number) : nullptr;
  std::uint64_t value = 0;
  if (!found || !current().read_register(found->number, value)) return mistake;
  return register_text(value, found->bits);
}

std::string gdb_commands::write_register(text packet) {
  const auto number = hex::take_number(packet);
  const debug_register* found = number ? find_register(current(), *number) : nullptr;
  std::uint64_t value = 0;
  if (!found || !take_prefix(packet, "=") || !register_value(packet, found->bits, value))
    return mistake;
  return current().write_register(found->number, value) ? ok : no_access;
}

std::string gdb_commands::read_memory(text packet) {
  memory_range range;
  if (!take_range(packet, range) || !packet.empty()) return mistake;
  std::string bytes(
      static_cast<std::size_t>(std::min<std::uint64_t>(range.bytes, packet_bytes / 2)), '\0');
  if (!current().read_memory(range.address, bytes.data(), bytes.size())) return no_access;
  return hex::from_bytes(bytes);
}

std::string gdb_commands::write_memory(text packet, bool is_binary) {
  memory_range range;
  if (!take_range(packet, range) || !take_prefix(packet, ":")) return mistake;
  const auto bytes = is_binary ? std::string(packet) : hex::to_bytes(packet);
  if (!bytes || bytes->size() != range.bytes) return mistake;
  if (!bytes->empty() && !current().write_memory(range.address, bytes->data(), bytes->size()))
    return no_access;
  for (debug_target* each : targets_) each->memory_changed();
  return ok;
}

std::string gdb_commands::change_point(text packet, bool is_inserted) {
  if (packet.empty()) return mistake;
  const char kind = packet.front();
  packet.remove_prefix(1);
  if (kind < '0' || kind > '4') return not_supported;
  memory_range range;
  if (!take_prefix(packet, ",") || !take_range(packet, range)) return mistake;
  if (kind == '0' || kind == '1') {  // software and hardware ones are the same here
    if (is_inserted)
      points_.insert_breakpoint(range.address);
    else
      points_.remove_breakpoint(range.address);
    return ok;
  }
  if (range.bytes == 0) return mistake;
  const debug_watch watch{range.address, range.bytes, kind != '2', kind != '3'};
  if (is_inserted)
    points_.insert_watch(watch);
  else
    points_.remove_watch(watch);
  return ok;
}

// "c", "c ADDRESS" without the blank, and "C SIGNAL;ADDRESS".
gdb_answer gdb_commands::resume_one(text packet, char kind) {
  const bool is_step = kind == 's' || kind == 'S';
  if (kind == 'C' || kind == 'S') take_until(packet, ';');
  if (!packet.empty()) {
    const auto address = hex::number(packet);
    if (!address || !set_pc(*address)) return {mistake};
  }
  if (is_step) current().step();
  lone_ = nullptr;
  points_.apply(!is_step);
  return {no_reply, gdb_answer::action::resume};
}

bool gdb_commands::set_pc(std::uint64_t address) {
  for (const debug_register& each : current().debug_registers())
    if (each.name == "pc") return current().write_register(each.number, address);
  return false;
}

// "ACTION[:THREAD];...": the first one that names a thread, or none, counts for it.
std::optional<std::vector<gdb_commands::motion>> gdb_commands::motions_of(text actions) const {
  if (actions.empty()) return std::nullopt;
  std::vector<motion> motions(targets_.size(), motion::stand);
  while (!actions.empty()) {
    text rest = take_until(actions, ';');
    const text action = take_until(rest, ':');
    const char kind = action.empty() ? '\0' : action.front();
    if (kind != 'c' && kind != 'C' && kind != 's' && kind != 'S') return std::nullopt;
    std::size_t thread = targets_.size();
    if (!rest.empty() && !find_thread(rest, thread)) return std::nullopt;
    const motion meant = kind == 's' || kind == 'S' ? motion::step : motion::go_on;
    for (std::size_t i = 0; i < motions.size(); ++i)
      if (motions[i] == motion::stand && (thread == motions.size() || thread == i))
        motions[i] = meant;
  }
  return motions;
}

gdb_answer gdb_commands::resume_some(text actions) {
  const auto motions = motions_of(actions);
  if (!motions) return {mistake};
  for (std::size_t i = 0; i < motions->size(); ++i)
    if ((*motions)[i] == motion::step) targets_[i]->step();
  const auto moves = [](motion each) { return each != motion::stand; };
  const auto moving = std::count_if(motions->begin(), motions->end(), moves);
  const bool all_run = moving == static_cast<std::ptrdiff_t>(motions->size());
  debug_target* const first =
      targets_[std::find_if(motions->begin(), motions->end(), moves) - motions->begin()];
  lone_ = moving == 1 && !all_run ? first : nullptr;
  // Stepping over something changes no simulated time; to go on alone does.
  const bool is_locked =
      !all_run && std::count(motions->begin(), motions->end(), motion::step) == 0;
  for (std::size_t i = 0; i < motions->size(); ++i)
    targets_[i]->hold_behind(is_locked && !moves((*motions)[i]) ? first : nullptr);
  points_.apply(all_run);
  return {no_reply, gdb_answer::action::resume};
}

std::string gdb_commands::report(const debug_stop& stop) {
  release_all();
  const auto found = std::find(targets_.begin(), targets_.end(), stop.where);
  if (found != targets_.end()) current_ = static_cast<std::size_t>(found - targets_.begin());
  std::string why;
  if (stop.why == debug_stop::reason::breakpoint) why = "swbreak:;";
  if (stop.why == debug_stop::reason::watch) {
    const char* kind = !stop.watch.loads ? "watch" : !stop.watch.stores ? "rwatch" : "awatch";
    why = fmt::format("{}:{:x};", kind, stop.address);
  }
  last_stop_ = fmt::format("T{:02x}{}thread:{:x};", stop.signal, why, current_ + 1);
  return last_stop_;
}

void gdb_commands::remove_all_points() {
  points_.remove_all();
  release_all();
}

void gdb_commands::release_all() {
  lone_ = nullptr;
  for (debug_target* each : targets_) {
    each->cancel_step();
    each->hold_behind(nullptr);
  }
}

}  // namespace heddle
