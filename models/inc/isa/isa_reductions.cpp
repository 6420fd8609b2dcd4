// Which operands the accelerator adds in which order: each at the leaf of its member's port.
#include "models/inc/isa/isa.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// Only where the operands lie at one offset in the memories of all members, as those of a
// collective do.
void isa_unit::record(const isa_instruction& pushed) {
  if (pushed.is_barrier || !sim().settings().carries_data) return;
  const auto offset_at = [&](int member) {
    return pushed.address[static_cast<std::size_t>(member)] - transport_.base_of(member);
  };
  const std::uint64_t offset = offset_at(__builtin_ctzll(pushed.source));
  bool is_same = true;
  for_each_member(pushed.source,
                  [&](int member) { is_same = is_same && offset_at(member) == offset; });
  if (pushed.id != reductions_of_) reductions_.clear();
  reductions_of_ = pushed.id;
  if (is_same) reductions_.push_back({pushed.source, offset, pushed.length, now_fs()});
}

std::vector<reduction_group> isa_unit::reduction_groups() const {
  std::vector<reduction_group> all;
  for (const pushed_reduction& each : reductions_) {
    reduction_group of;
    of.result_offset = each.offset;
    of.length = each.length;
    of.armed_at = each.when;
    for (int member = 0; member < inc_port_.port_count(); ++member) {
      const bool is_present = (each.source & mask_of(member)) != 0;
      of.children.push_back(
          {is_present ? reduction_group::input::member : reduction_group::input::absent,
           is_present ? transport_.base_of(member) : 0});
    }
    all.push_back(std::move(of));
  }
  return all;
}

}  // namespace heddle
