// An instruction of the in-switch accelerator (SCIN Fig 6): which members contribute operands,
// where they lie, who gets the result. The result goes where the operand of the same member lies.
#pragma once

#include <array>
#include <cstdint>

#include "models/inc/isa/isa_regs.hpp"
#include "platform/tensor/quantize.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

// A member is an accelerator at a port of the switch, named by the port's index.
using member_mask = std::uint64_t;
inline constexpr int most_members = 64;

inline member_mask mask_of(int member) {
  return member_mask{1} << member;
}
inline int count_of(member_mask members) {
  return __builtin_popcountll(members);
}
// Calls action(member) in ascending order.
template <class Action>
void for_each_member(member_mask members, Action action) {
  for (; members != 0; members &= members - 1) action(__builtin_ctzll(members));
}

using isa_error = isa_regs::stream_status_error;
const char* isa_name_of(isa_error error);  // as the registers call it

struct isa_instruction {
  int stream = 0;
  std::uint32_t id = 0;
  std::uint32_t length = 0;  // bytes of each operand
  member_mask source = 0, destination = 0;
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  bool is_quantized = false;
  quantization quant;
  bool syncs = false;       // waits for every member of the stream
  bool fences = false;      // waits for every instruction before it
  bool notifies = false;    // writes completion flags
  bool is_barrier = false;  // moves nothing
  std::array<std::uint64_t, most_members> address{};
  std::array<std::uint64_t, most_members> scale_address{};

  // One operand that goes out as it came in needs no arithmetic.
  bool is_pass_through() const { return !is_quantized && count_of(source) == 1; }

  // Bytes of the scales that belong to so many bytes of data.
  std::uint32_t scales_of(std::uint32_t bytes) const {
    return is_quantized ? static_cast<std::uint32_t>(scale_bytes(quant, elements_of(bytes))) : 0;
  }
  std::uint64_t elements_of(std::uint64_t bytes) const {
    return is_quantized ? bytes * 8 / quant.bits : bytes / size_of(type);
  }

  // Progress
  std::uint32_t number = 0;  // of all that have started, free-running
  fs_t started = 0;
  std::uint32_t issued = 0;      // bytes of each operand that waves were made for
  std::uint32_t open_waves = 0;  // issued, results not all in memory
  bool is_complete = false;
  isa_error failure = isa_error::NONE;
  member_mask culprit = 0;
};

}  // namespace heddle
