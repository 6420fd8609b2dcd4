// What the accelerator owns in the memories of the members while an instruction is under way: from
// its start, when all members have arrived, to its end their operands, and where results go.
#include "models/inc/isa/isa.hpp"

namespace heddle {

std::uint64_t isa_unit::work_of(const isa_instruction& instruction) const {
  return static_cast<std::uint64_t>(instruction.stream) << 32 | instruction.number;
}

void isa_unit::own(const isa_instruction& started) {
  if (!buffers_.begin(regs_.stream[started.stream].push.cell())) return;
  const std::uint64_t work = work_of(started);
  const auto take = [&](buffer_use use, const auto& addresses, std::uint64_t length, int member) {
    buffers_.take(use, addresses[static_cast<std::size_t>(member)], length, work);
  };
  const std::uint64_t scales = started.scales_of(started.length);
  for_each_member(started.source | started.destination, [&](int member) {
    const bool is_written = (started.destination & mask_of(member)) != 0;
    const buffer_use use = is_written ? buffer_use::destination : buffer_use::source;
    take(use, started.address, started.length, member);
    take(use, started.scale_address, scales, member);
  });
}

void isa_unit::disown(const isa_instruction& ended) {
  const std::uint64_t work = work_of(ended);
  buffers_.release(work, work);
}

}  // namespace heddle
