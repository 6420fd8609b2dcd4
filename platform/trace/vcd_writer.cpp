#include "platform/trace/vcd_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "platform/trace/vcd_header.hpp"
#include "platform/trace/vcd_name.hpp"

namespace heddle {

namespace {

constexpr std::size_t usual_room = 96;  // any number with its identifier, any time, most names

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

using octet_digits = std::array<std::array<char, 8>, 256>;

constexpr octet_digits binary_octets() {
  octet_digits octets{};
  for (unsigned octet = 0; octet < 256; ++octet) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      octets[octet][7 - bit] = static_cast<char>('0' + ((octet >> bit) & 1));
    }
  }
  return octets;
}

constexpr octet_digits octets = binary_octets();

// VCD extends a vector on the left with zeros, so leading zeros are left out.
char* put_binary(char* to, std::uint64_t bits) {
  const int digits = bits == 0 ? 1 : 64 - __builtin_clzll(bits);
  int shift = (digits - 1) / 8 * 8;
  const int leading = shift + 8 - digits;
  const auto& first = octets[bits >> shift];
  to = put(to, {first.data() + leading, 8u - static_cast<unsigned>(leading)});
  while (shift > 0) {
    shift -= 8;
    to = put(to, {octets[(bits >> shift) & 0xff].data(), 8});
  }
  return to;
}

char* put_real(char* to, std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  if (std::isnan(value)) return put(to, "nan");
  return std::to_chars(to, to + usual_room / 2, value).ptr;
}

}  // namespace

vcd_writer::vcd_writer(const std::string& path, const std::string& date) : file_(path) {
  if (!date.empty()) file_.write("$date " + date + " $end\n");
}

void vcd_writer::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  file_.write(vcd_header(catalog.signals));
  for (const trace_declaration& signal : catalog.signals) {
    std::string end = signal.kind == trace_kind::bit ? "" : " ";
    end.append(vcd_identifier(static_cast<std::uint32_t>(variables_.size()))).append("\n");
    variable added{signal.kind, static_cast<std::uint8_t>(end.size()), {}};
    std::copy(end.begin(), end.end(), added.end.begin());
    variables_.push_back(added);
    states_.emplace_back();
    for (const std::string& name : signal.states.names()) {
      states_.back().push_back(vcd_string(name));
    }
  }
}

void vcd_writer::open_window(fs_t when, const std::vector<trace_value>& values) {
  if (opened_before_)
    write_blackout();
  else
    first_time_ = when;
  if (when != last_time_) write_time(when);
  file_.write(opened_before_ ? "$dumpon\n" : "$dumpvars\n");
  for (std::uint32_t signal = 0; signal < values.size(); ++signal) {
    if (values[signal].known) {
      write_value(signal, values[signal].bits);
    } else {
      write_unknown(variables_[signal]);
    }
  }
  file_.write("$end\n");
  opened_before_ = true;
}

// The time of the close is already the last one written, so the gap to the next window is marked
// only when there is one: a trace that ends with its window shows no unknown values.
void vcd_writer::write_blackout() {
  file_.write("$dumpoff\n");
  for (const variable& each : variables_) write_unknown(each);
  file_.write("$end\n");
}

void vcd_writer::changes(const std::vector<trace_change>& batch) {
  for (const trace_change& change : batch) {
    if (change.when != last_time_) write_time(change.when);
    write_value(change.signal, change.bits);
  }
}

void vcd_writer::close_window(fs_t when) {
  if (when != last_time_) write_time(when);
}

void vcd_writer::finish() {
  file_.commit();
}

void vcd_writer::write_time(fs_t when) {
  last_time_ = when;
  char* to = file_.room(usual_room);
  *to++ = '#';
  to = std::to_chars(to, to + 20, when).ptr;
  *to++ = '\n';
  file_.advance(to);
}

void vcd_writer::write_value(std::uint32_t signal, std::uint64_t bits) {
  const variable& written = variables_[signal];
  char* to = file_.room(usual_room);
  switch (written.kind) {
    case trace_kind::bit:
      *to++ = static_cast<char>('0' + bits);
      break;
    case trace_kind::vector:
    case trace_kind::integer:
      *to++ = 'b';
      to = put_binary(to, bits);
      break;
    case trace_kind::real:
      *to++ = 'r';
      to = put_real(to, bits);
      break;
    case trace_kind::state:
      return write_string(written, state_name(signal, bits));
    case trace_kind::text:
      return write_string(written, text(bits));
  }
  // Copying all of `end` is one store; only its size counts.
  std::memcpy(to, written.end.data(), written.end.size());
  file_.advance(to + written.end_size);
}

void vcd_writer::write_unknown(const variable& written) {
  switch (written.kind) {
    case trace_kind::bit:
      file_.write("x");
      break;
    case trace_kind::vector:
    case trace_kind::integer:
      file_.write("bx");
      break;
    case trace_kind::real:
      file_.write("rnan");
      break;
    case trace_kind::state:
    case trace_kind::text:
      file_.write("s");
      break;
  }
  file_.write({written.end.data(), written.end_size});
}

void vcd_writer::write_string(const variable& written, std::string_view escaped) {
  if (escaped.size() > usual_room) {
    file_.write("s");
    file_.write(escaped);
    file_.write({written.end.data(), written.end_size});
    return;
  }
  char* to = file_.room(2 * usual_room);
  *to++ = 's';
  to = put(to, escaped);
  std::memcpy(to, written.end.data(), written.end.size());
  file_.advance(to + written.end_size);
}

std::string_view vcd_writer::state_name(std::uint32_t signal, std::uint64_t index) const {
  const std::vector<std::string>& names = states_[signal];
  return index < names.size() ? std::string_view(names[index]) : "?";
}

std::string_view vcd_writer::text(std::uint64_t index) {
  while (texts_.size() <= index) texts_.push_back(vcd_string(catalog_->texts[texts_.size()]));
  return texts_[index];
}

}  // namespace heddle
