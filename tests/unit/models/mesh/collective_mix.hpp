// A random mix of unicasts, multicasts, reductions and barriers on a collective mesh. Every node
// works through its share in order; the members of a reduction wait until the destination has
// released them. Whoever receives checks data and order.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/models/mesh/mesh_bench.hpp"

namespace heddle {

struct mix_options {
  int width = 4, height = 4;
  std::uint64_t buffer = 1;  // flits
  std::uint32_t operations = 1000;
  unsigned seed = 1;
};

struct mix_result {
  std::uint64_t packets = 0;       // sent
  std::uint64_t flits = 0;         // received
  std::uint64_t wrong = 0;         // flits with wrong data or at the wrong node
  std::uint64_t out_of_order = 0;  // flits that overtook another of the same pair
  std::uint64_t missing = 0;       // flits that should have come
  std::uint64_t unreleased = 0;    // payloads that nobody gave back
  char waiting[200] = "";          // the first router that still waits for something
};

class collective_mix {
 public:
  explicit collective_mix(const mix_options& options);
  mix_result run();

 private:
  struct operation {
    flit_op op = flit_op::unicast;
    mesh_position source;  // of a reduction: one of the members
    mesh_position destination;
    mesh_position mask;
    std::uint32_t flits = 1;
    std::uint64_t sum = 0;  // of a reduction: what comes out in lane 0, for the first beat
  };
  struct node_state {
    std::vector<std::uint32_t> script;  // operations
    std::size_t next = 0;
    std::uint64_t sent = 0;           // flits, for the order
    std::vector<std::uint64_t> last;  // received, by source
  };

  std::size_t index(mesh_position p) const {
    return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(bench_.width) + p.x;
  }
  mesh_position position(std::size_t i) const;
  mesh_position random_mask();
  void add_operation(std::uint32_t number);
  void proceed(std::size_t node);  // to the next reduction that it takes part in
  void send(std::size_t node, std::uint32_t number);
  void send_flit(std::size_t node, flit sent, const std::array<std::uint64_t, 8>& words);
  void receive(std::size_t node, const flit& arrived);
  void receive_result(std::size_t node, const flit& arrived);
  void release_members(std::size_t node, std::uint32_t number);
  std::uint64_t contribution(std::size_t node, std::uint32_t number) const {
    return number % 1000 + node * node;
  }

  mesh_bench<collective_router> bench_;
  std::mt19937 random_;
  std::vector<operation> operations_;
  std::vector<std::uint32_t> beats_;  // received so far, by reduction
  std::vector<node_state> nodes_;
  std::uint64_t expected_flits_ = 0;
  mix_result result_;
};

}  // namespace heddle
