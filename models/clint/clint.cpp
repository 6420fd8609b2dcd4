#include "models/clint/clint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/registers/existing_bits.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(clint, describe_unit<clint>("clint", "software and timer interrupts of cores",
                                                 clint_regs::markdown));

}  // namespace

std::vector<port_description> clint::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"software[harts]", "interrupt output", "MSIP of a hart"},
          {"timer[harts]", "interrupt output", "MTIP of a hart"}};
}

clint::hart_lines::hart_lines(clint& owner, std::size_t number)
    : software(owner, fmt::format("software[{}]", number)),
      timer(owner, fmt::format("timer[{}]", number)) {}

clint::clint(const unit_context& context, const parameters& p)
    : unit(context),
      tick_(p.tick().fs),
      regs_(context),
      socket_(*this, "registers", regs_),
      next_timer_(timed_call::to<clint, &clint::update_timers>(*this)) {
  for (std::size_t i = 0; i < p.harts(); ++i) {
    harts_.push_back(std::make_unique<hart_lines>(*this, i));
    regs_.software[i].msip.on_write([this, i](std::uint32_t before, std::uint32_t now) {
      if (now != 0 && before == 0) ++counters_.software;
      harts_[i]->software.set(now != 0);
    });
    regs_.timer[i].mtimecmp.on_write([this](std::uint64_t, std::uint64_t) { update_timers(); });
  }
  for (std::size_t i = harts_.size(); i < regs_.timer.size(); ++i) {
    existing_bits(regs_.software[i]).limit(regs_.software[i].msip, 0);
    existing_bits(regs_.timer[i]).limit(regs_.timer[i].mtimecmp, 0);
  }
  regs_.mtime.computed_by([this] { return mtime(); });
  regs_.mtime.on_write([this](std::uint64_t, std::uint64_t value) { set_mtime(value); });
}

void clint::set_mtime(std::uint64_t value) {
  offset_ = value - now_fs() / tick_;
  update_timers();
}

// Software may have set mtime back, and mtimecmp to a value that it never reaches.
fs_t clint::due(std::uint64_t compare) const {
  const std::uint64_t to_go = compare - mtime(), passed = now_fs() / tick_;
  return to_go > fs_never / tick_ - passed ? fs_never : (passed + to_go) * tick_;
}

void clint::update_timers() {
  fs_t next = fs_never;
  for (std::size_t i = 0; i < harts_.size(); ++i) {
    hart_lines& hart = *harts_[i];
    const std::uint64_t compare = regs_.timer[i].mtimecmp.value();
    const bool is_up = mtime() >= compare;
    if (is_up && !hart.is_timer_up) ++counters_.timer;
    hart.is_timer_up = is_up;
    hart.timer.set(is_up);
    if (!is_up) next = std::min(next, due(compare));
  }
  if (next != fs_never) next_timer_.at(next);
}

}  // namespace heddle
