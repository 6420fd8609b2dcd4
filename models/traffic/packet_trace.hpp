// Which packets terminals create, by a file: rows of `time,from,to,packets`. Times count from the
// start of the run and carry a unit; rows of a terminal are in the order of time; `packets` may be
// missing for all, which makes them 1. Packets of a row are created at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/traffic/traffic_terminals.hpp"

namespace heddle {

struct traced_packets {
  fs_t at;
  endpoint_id to;
  std::uint32_t count;
  int line;
};

// No packet is created from `end` on. With a cycle, packets are created where one begins: those of
// a later time wait for the next.
struct creation_limit {
  fs_t end;
  fs_t cycle = 1;

  fs_t last() const { return end - cycle; }  // instant of a creation
};

// The rows of one terminal, one after the other.
class packet_trace {
 public:
  explicit packet_trace(std::vector<traced_packets> rows) : rows_(std::move(rows)) {}

  bool is_over() const { return next_ == rows_.size(); }
  // When the packet in turn is created, and where it goes.
  fs_t time() const { return rows_[next_].at; }
  endpoint_id destination() const { return rows_[next_].to; }
  std::uint32_t left_in_row() const { return rows_[next_].count - done_; }  // that one included
  void advance(std::uint32_t packets = 1);                                  // of the row in turn

  // All destinations, once each, and the number of packets that are created from one instant to the
  // other.
  std::vector<endpoint_id> addressed() const;
  std::uint64_t packets(fs_t from, fs_t to) const;

 private:
  std::vector<traced_packets> rows_;
  std::size_t next_ = 0;
  std::uint32_t done_ = 0;  // of the row in turn
};

// Every file is read once, when all terminals are known. One per run:
// simulation::service<packet_traces>().
class packet_traces {
 public:
  // Throws user_error: for what is no such row, names that no terminal has, times that go back or
  // come after the limit, when the terminal creates no packets any more.
  packet_trace of(const std::string& file, const std::string& terminal,
                  const traffic_terminals& terminals, packet_granularity granularity,
                  const creation_limit& limit);

 private:
  using rows_by_terminal = std::map<std::string, std::vector<traced_packets>>;

  static rows_by_terminal read(const std::string& file, const traffic_terminals& terminals,
                               packet_granularity granularity);

  std::map<std::pair<std::string, packet_granularity>, rows_by_terminal> known_;
};

}  // namespace heddle
