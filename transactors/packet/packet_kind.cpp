#include "transactors/packet/packet_kind.hpp"

#include <array>
#include <cassert>
#include <cstdlib>

namespace heddle {
namespace {

constexpr int most_kinds = 64;  // a set of them is a word
constexpr int first_kinds = 10;

constexpr packet_kind_sheet request(const char* name, bool has_payload, packet_kind answer) {
  return {name, message::request, has_payload, true, answer, nullptr};
}
constexpr packet_kind_sheet response(const char* name, bool has_payload) {
  return {name, message::response, has_payload, false, packet_kind::write_response, nullptr};
}

// Filled before any other static initializer runs.
struct kind_table {
  std::array<packet_kind_sheet, most_kinds> sheets;
  int count;
};
kind_table table{{request("read_request", false, packet_kind::read_response),
                  response("read_response", true),
                  request("write_request", true, packet_kind::write_response),
                  response("write_response", false),
                  request("atomic_request", true, packet_kind::atomic_response),
                  response("atomic_response", true),
                  {"none", message::unclassified, true, false, packet_kind::none, nullptr},
                  {"traffic", message::request, true, false, packet_kind::traffic, nullptr},
                  request("traffic_request", true, packet_kind::traffic_response),
                  response("traffic_response", false)},
                 first_kinds};

constexpr std::uint64_t bit(packet_kind kind) {
  return std::uint64_t{1} << static_cast<int>(kind);
}

}  // namespace

packet_kind_sets kinds_of_packets{
    bit(packet_kind::read_response) | bit(packet_kind::write_response) |
        bit(packet_kind::atomic_response) | bit(packet_kind::traffic_response),
    bit(packet_kind::read_request) | bit(packet_kind::write_response) |
        bit(packet_kind::traffic_response)};

packet_kind add_packet_kind(const packet_kind_sheet& sheet) {
  assert(table.count < most_kinds && "more kinds of packets than a word has bits");
  const auto added = static_cast<packet_kind>(table.count);
  table.sheets[static_cast<std::size_t>(table.count++)] = sheet;
  if (sheet.of == message::response) kinds_of_packets.responses |= bit(added);
  if (!sheet.has_payload) kinds_of_packets.without_payload |= bit(added);
  return added;
}

int packet_kind_count() {
  return table.count;
}

const packet_kind_sheet& sheet_of(packet_kind kind) {
  return table.sheets[static_cast<std::size_t>(kind)];
}

}  // namespace heddle
