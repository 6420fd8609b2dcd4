#include "models/traffic/packet_trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/traffic/traffic_file.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t most_packets = 1'000'000'000;  // of a row

fs_t time_of(const csv_row& row) {
  try {
    return parse_duration(row[0]);
  } catch (const quantity_error& e) {
    throw user_error(row.place(), fmt::format("time: {}", e.what()));
  }
}

}  // namespace

void packet_trace::advance(std::uint32_t packets) {
  done_ += packets;
  if (done_ < rows_[next_].count) return;
  done_ = 0;
  ++next_;
}

std::vector<endpoint_id> packet_trace::addressed() const {
  std::vector<endpoint_id> all;
  for (const traced_packets& each : rows_) all.push_back(each.to);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::uint64_t packet_trace::packets(fs_t from, fs_t to) const {
  std::uint64_t sum = 0;
  for (const traced_packets& each : rows_)
    if (each.at >= from && each.at < to) sum += each.count;
  return sum;
}

packet_traces::rows_by_terminal packet_traces::read(const std::string& file,
                                                    const traffic_terminals& terminals,
                                                    packet_granularity granularity) {
  rows_by_terminal rows;
  for (const csv_row& row : read_traffic_file(file, {"time", "from", "to", "packets"})) {
    const fs_t at = time_of(row);
    terminals.named(row[1], granularity, row.place());
    std::vector<traced_packets>& of_terminal = rows[row[1]];
    if (!of_terminal.empty() && at < of_terminal.back().at)
      throw user_error(row.place(), fmt::format("{} comes after {}, which is later", row[0],
                                                exact_duration(of_terminal.back().at)));
    if (row[1] == row[2])
      throw user_error(row.place(), row[1] + " sends to itself, which needs no network");
    const std::uint64_t count = row.size() > 3 ? number_in(row, 3, "packets", 1, most_packets) : 1;
    of_terminal.push_back({at, terminals.named(row[2], granularity, row.place()),
                           static_cast<std::uint32_t>(count), row.place().line});
  }
  return rows;
}

packet_trace packet_traces::of(const std::string& file, const std::string& terminal,
                               const traffic_terminals& terminals, packet_granularity granularity,
                               const creation_limit& limit) {
  const std::pair key(file, granularity);
  auto known = known_.find(key);
  if (known == known_.end()) known = known_.emplace(key, read(file, terminals, granularity)).first;
  const auto rows = known->second.find(terminal);
  if (rows == known->second.end()) return packet_trace({});
  if (const traced_packets& last = rows->second.back(); last.at > limit.last())
    throw user_error(
        source_place{file, last.line, 1},
        fmt::format("at {} {} creates no packets any more: `warmup`, `measure` and `cooldown` end "
                    "at {}{}",
                    exact_duration(last.at), terminal, exact_duration(limit.end),
                    last.at < limit.end ? fmt::format(", and their last cycle begins at {}",
                                                      exact_duration(limit.last()))
                                        : ""));
  return packet_trace(rows->second);
}

}  // namespace heddle
