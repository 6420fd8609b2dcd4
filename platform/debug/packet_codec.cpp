#include "platform/debug/packet_codec.hpp"

#include <algorithm>

#include "platform/debug/hex.hpp"

namespace heddle {
namespace {

constexpr char interrupt_byte = 3;
constexpr char escape_bit = 0x20;
// A run is its character, '*', and how often the character follows, as a printable one.
constexpr int count_base = 29, least_repeats = 3, most_repeats = '~' - count_base;

bool is_special(char c) {
  return c == '$' || c == '#' || c == '}' || c == '*';
}

std::size_t equal_characters(std::string_view data, std::size_t from) {
  const std::size_t end = data.find_first_not_of(data[from], from);
  return (end == std::string_view::npos ? data.size() : end) - from;
}

// How many further characters the next run stands for; 0: none. Counts that would read as '#' or
// '$' are not used.
std::size_t repeats_in_run(std::size_t equal) {
  const std::size_t more = std::min<std::size_t>(equal - 1, most_repeats);
  if (more < least_repeats) return 0;
  return more == '#' - count_base || more == '$' - count_base ? '#' - count_base - 1 : more;
}

}  // namespace

void packet_reader::start() {
  state_ = state::inside;
  data_.clear();
  sum_ = 0;
  is_broken_ = false;
}

void packet_reader::append(char c) {
  if (data_.size() < most_bytes)
    data_ += c;
  else
    is_broken_ = true;
}

void packet_reader::unpack(char count) {
  const int repeats = static_cast<unsigned char>(count) - count_base;
  if (data_.empty() || repeats < least_repeats || repeats > most_repeats) {
    is_broken_ = true;
    return;
  }
  const char last = data_.back();
  for (int i = 0; i < repeats; ++i) append(last);
}

packet_reader::event packet_reader::take_inside(char c) {
  if (c == '$') {  // the end of the one before got lost
    start();
    return event::broken_packet;
  }
  if (c == '#') {
    if (state_ != state::inside) is_broken_ = true;
    state_ = state::first_digit;
    return event::nothing;
  }
  sum_ = static_cast<unsigned char>(sum_ + static_cast<unsigned char>(c));
  if (state_ == state::escaped) {
    append(static_cast<char>(c ^ escape_bit));
    state_ = state::inside;
  } else if (state_ == state::run) {
    unpack(c);
    state_ = state::inside;
  } else if (c == '}') {
    state_ = state::escaped;
  } else if (c == '*' && runs_ == packet_runs::packed) {
    state_ = state::run;
  } else {
    append(c);
  }
  return event::nothing;
}

packet_reader::event packet_reader::finish(char last_digit) {
  state_ = state::outside;
  const int high = hex::digit(first_digit_), low = hex::digit(last_digit);
  const bool is_right = high >= 0 && low >= 0 && high * 16 + low == sum_;
  return is_right && !is_broken_ ? event::packet : event::broken_packet;
}

packet_reader::event packet_reader::take(char c) {
  switch (state_) {
    case state::outside:
      if (c == '$') start();
      if (c == '+') return event::accepted;
      if (c == '-') return event::repeat;
      return c == interrupt_byte ? event::interrupt : event::nothing;
    case state::first_digit:
      first_digit_ = c;
      state_ = state::second_digit;
      return event::nothing;
    case state::second_digit:
      return finish(c);
    default:
      return take_inside(c);
  }
}

std::string make_packet(std::string_view data, packet_runs runs) {
  std::string body;
  body.reserve(data.size() + 4);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const char c = data[i];
    if (is_special(c)) {
      body += '}';
      body += static_cast<char>(c ^ escape_bit);
      continue;
    }
    body += c;
    const std::size_t repeats =
        runs == packet_runs::packed ? repeats_in_run(equal_characters(data, i)) : 0;
    if (repeats == 0) continue;
    body += '*';
    body += static_cast<char>(repeats + count_base);
    i += repeats;
  }
  unsigned char sum = 0;
  for (const char c : body) sum = static_cast<unsigned char>(sum + static_cast<unsigned char>(c));
  const char last = static_cast<char>(sum);
  return "$" + body + "#" + hex::from_bytes({&last, 1});
}

}  // namespace heddle
