// The unit of transfer of the flit plane, by value. Every flit carries the whole header, as on a
// link that is wide enough to have it beside the payload (FlooNoC: a flit is what a link moves in a
// cycle).
//
// A set of nodes is a node and a mask: a set mask bit is a don't-care of that coordinate, so n bits
// name 2^n nodes.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct mesh_position {
  std::uint8_t x = 0, y = 0;
  bool operator==(const mesh_position& other) const { return x == other.x && y == other.y; }
  bool operator!=(const mesh_position& other) const { return !(*this == other); }
};
std::string text_of(mesh_position position);  // "(x, y)"

enum class flit_op : std::uint8_t {
  unicast,
  multicast,  // to every node that destination and mask name
  // Reductions: from every node that source and mask name, to the destination.
  collect_b,  // write responses: the worst of them
  lsb_and,    // bit 0: all of them; the other bits of the first input
  select_aw,  // write addresses: any, they are alike
  // Lane by lane, by a functional unit at the offload port: 8 lanes of 64 bits, 16 of 32, 32 of 16,
  // 64 of 8.
  add_f64,
  max_f64,
  min_f64,
  add_f32,
  max_f32,
  min_f32,
  add_f16,
  max_f16,
  min_f16,
  add_f8,
  max_f8,
  min_f8,
};
inline constexpr flit_op last_flit_op = flit_op::min_f8;
constexpr bool is_reduction(flit_op op) {
  return op >= flit_op::collect_b;
}
constexpr bool is_arithmetic(flit_op op) {
  return op >= flit_op::add_f64;
}
const char* name_of(flit_op op);

using payload_handle = std::uint32_t;  // of flit_payloads; 0: no data
inline constexpr int flit_payload_bytes = 64;

struct alignas(16) flit {
  flit() : op(flit_op::unicast), absent(0), is_head_(1), is_tail_(1) {}

  payload_handle payload = 0;  // synthetic traffic carries the cycle of its injection instead
  std::uint32_t tag = 0;       // of the sender: a transaction; synthetic traffic: when created
  mesh_position destination;
  mesh_position source;  // of a reduction: one of the members
  mesh_position mask;    // of the destination, of a reduction: of the source
  flit_op op : 5;
  std::uint16_t absent : 4;  // eighths of the data of a whole flit that this one is without

  bool is_head() const { return is_head_; }
  bool is_tail() const { return is_tail_; }
  // States the bytes of data, kept in eighths of a whole flit; 0: a header alone.
  void set_data(std::uint32_t bytes, std::uint32_t whole) {
    absent = static_cast<std::uint16_t>((whole - bytes) * 8 / whole) & 0xf;
  }
  void set_ends(bool is_first, bool is_last) {
    is_head_ = is_first;
    is_tail_ = is_last;
  }

 private:
  std::uint16_t is_head_ : 1;
  std::uint16_t is_tail_ : 1;
};
static_assert(sizeof(flit) == 16);

constexpr bool is_member(mesh_position node, mesh_position any, mesh_position mask) {
  return ((node.x ^ any.x) & ~mask.x) == 0 && ((node.y ^ any.y) & ~mask.y) == 0;
}

}  // namespace heddle
