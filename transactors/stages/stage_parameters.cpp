#include "transactors/stages/stage_parameters.hpp"

#include <fmt/format.h>

#include "platform/unit/parameter_mistake.hpp"
#include "transactors/arbitration/port_set.hpp"

namespace heddle {
namespace {

// "0..3, 6"
std::vector<int> read_numbers(const std::string& text) {
  std::vector<int> numbers;
  const auto fail = [&] {
    throw user_error("at: expected \"all\" or numbers and ranges such as \"0..3, 6\", got \"" +
                     text + "\"");
  };
  std::size_t next = 0;
  const auto skip_spaces = [&] {
    while (next < text.size() && text[next] == ' ') ++next;
  };
  const auto number = [&] {
    skip_spaces();
    const std::size_t from = next;
    int value = 0;
    for (; next < text.size() && text[next] >= '0' && text[next] <= '9'; ++next) {
      value = 10 * value + (text[next] - '0');
      if (value > port_set::most_ports) fail();
    }
    if (next == from) fail();
    skip_spaces();
    return value;
  };
  for (;;) {
    const int first = number();
    int last = first;
    if (text.compare(next, 2, "..") == 0) {
      next += 2;
      last = number();
    }
    if (last < first) fail();
    for (int each = first; each <= last; ++each) numbers.push_back(each);
    if (next == text.size()) return numbers;
    if (text[next++] != ',') fail();
  }
}

}  // namespace

stage_sheet stage_parameters::sheet() const {
  stage_sheet result;
  result.place = place() == "egress"   ? stage_place::egress
                 : place() == "middle" ? stage_place::middle
                                       : stage_place::ingress;
  result.latency = latency().fs;
  result.rate = rate();
  if (at() != "all") result.at = on_behalf_of("at", [this] { return read_numbers(at()); });
  return result;
}

std::string stage_parameters::summary() const {
  return fmt::format("{} of {} {}, latency {}, rate {}", place(),
                     place() == "middle" ? "pipes" : "ports", at(), latency.text(), rate.text());
}

}  // namespace heddle
