// Which operands the accelerator adds in which order: each at the leaf of its member's port.
#include "models/inc/isa/isa.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// Only where the operands lie at one offset in the memories of all members, as those of a
// collective do.
void isa_unit::record(isa_stream& stream, const isa_instruction& pushed) {
  if (pushed.is_barrier || !sim().settings().carries_data) return;
  const auto offset_at = [&](int member) {
    return pushed.address[static_cast<std::size_t>(member)] - transport_.base_of(member);
  };
  const std::uint64_t offset = offset_at(__builtin_ctzll(pushed.source));
  bool is_same = true;
  for_each_member(pushed.source,
                  [&](int member) { is_same = is_same && offset_at(member) == offset; });
  if (pushed.id != stream.reductions_of) stream.reductions.clear();
  stream.reductions_of = pushed.id;
  if (is_same) stream.reductions.push_back({pushed.source, offset, pushed.length, now_fs()});
}

std::vector<reduction_group> isa_unit::reduction_groups() const {
  std::vector<reduction_group> all;
  for (const auto& stream : streams_)
    for (const pushed_reduction& each : stream->reductions) all.push_back(group_of(each));
  return all;
}

reduction_group isa_unit::group_of(const pushed_reduction& pushed) const {
  reduction_group of;
  of.result_offset = pushed.offset;
  of.length = pushed.length;
  of.armed_at = pushed.when;
  for (int member = 0; member < inc_port_.port_count(); ++member) {
    const bool is_present = (pushed.source & mask_of(member)) != 0;
    of.children.push_back(
        {is_present ? reduction_group::input::member : reduction_group::input::absent,
         is_present ? transport_.base_of(member) : 0});
  }
  return of;
}

}  // namespace heddle
