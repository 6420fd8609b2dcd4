#include "platform/trace/index_set.hpp"

#include <charconv>

namespace heddle {
namespace {

// Reads the digits in front and takes them off.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return value;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

bool accept(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::optional<index_set> index_set::at_front(std::string_view text) {
  const std::size_t whole = text.size();
  if (!accept(text, "[")) return std::nullopt;
  index_set set;
  bool has_range = false;
  do {
    skip_blanks(text);
    const auto first = take_number(text);
    if (!first) return std::nullopt;
    auto last = first;
    if (accept(text, "..")) {
      has_range = true;
      last = take_number(text);
      if (!last) return std::nullopt;
    }
    set.ranges_.push_back({*first, *last});
    skip_blanks(text);
  } while (accept(text, ","));
  if (!accept(text, "]")) return std::nullopt;
  if (set.ranges_.size() == 1 && !has_range) return std::nullopt;
  set.length_ = whole - text.size();
  return set;
}

std::optional<std::size_t> index_set::position_of(std::uint32_t index) const {
  std::size_t before = 0;
  for (const range& each : ranges_) {
    const bool goes_up = each.first <= each.last;
    const std::uint32_t low = goes_up ? each.first : each.last;
    const std::uint32_t high = goes_up ? each.last : each.first;
    if (low <= index && index <= high)
      return before + (goes_up ? index - each.first : each.first - index);
    before += std::size_t{high} - low + 1;
  }
  return std::nullopt;
}

std::optional<name_index> index_at_front(std::string_view name) {
  const std::size_t whole = name.size();
  if (!accept(name, "[")) return std::nullopt;
  const auto value = take_number(name);
  if (!value || !accept(name, "]")) return std::nullopt;
  return name_index{*value, whole - name.size()};
}

}  // namespace heddle
