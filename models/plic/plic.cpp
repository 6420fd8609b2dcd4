#include "models/plic/plic.hpp"

#include <fmt/format.h>

#include "platform/registers/existing_bits.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(plic, describe_unit<plic>("plic", "interrupts of devices for cores",
                                               plic_regs::markdown));

constexpr std::uint64_t bit(std::uint64_t source) {
  return std::uint64_t{1} << source;
}

}  // namespace

std::vector<port_description> plic::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"in[1 to sources]", "interrupt input", "lines of devices"},
          {"out[targets]", "interrupt output", "MEIP of a hart"}};
}

plic::plic(const unit_context& context, const parameters& p)
    : unit(context), regs_(context), socket_(*this, "registers", regs_) {
  leave_out(p.sources(), p.targets());
  for (int i = 1; i <= static_cast<int>(p.sources()); ++i) {
    inputs_.push_back(
        std::make_unique<interrupt_input_port>(*this, fmt::format("in[{}]", i), *this, i));
    regs_.source[i].priority.on_write([this](std::uint32_t, std::uint32_t) { update(); });
  }
  for (std::size_t i = 0; i < p.targets(); ++i) {
    outputs_.push_back(std::make_unique<interrupt_output_port>(*this, fmt::format("out[{}]", i)));
    const auto changed = [this](std::uint32_t, std::uint32_t) { update(); };
    regs_.enable[i].low.on_write(changed);
    regs_.enable[i].high.on_write(changed);
    regs_.target[i].threshold.on_write(changed);
    regs_.target[i].claim.on_read([this, i] { return claim(i); });
    regs_.target[i].claim.on_write(
        [this, i](std::uint32_t, std::uint32_t source) { complete(i, source); });
  }
  for (std::size_t i = 0; i < regs_.pending.size(); ++i)
    regs_.pending[i].sources.computed_by(
        [this, i] { return static_cast<std::uint32_t>(pending_ >> (32 * i)); });
}

void plic::leave_out(std::size_t sources, std::size_t targets) {
  const std::uint64_t existing = (bit(sources) - 1) << 1;
  for (std::size_t i = 0; i < regs_.source.size(); ++i) {
    if ((existing & bit(i)) != 0) continue;
    existing_bits(regs_.source[i]).limit(regs_.source[i].priority, 0);
  }
  for (std::size_t i = 0; i < regs_.target.size(); ++i) {
    const std::uint64_t enabled = i < targets ? existing : 0;
    existing_bits(regs_.enable[i]).limit(regs_.enable[i].low, enabled & UINT32_MAX);
    existing_bits(regs_.enable[i]).limit(regs_.enable[i].high, enabled >> 32);
    if (i < targets) continue;
    existing_bits(regs_.target[i]).limit(regs_.target[i].threshold, 0);
    existing_bits(regs_.target[i]).limit(regs_.target[i].claim, 0);
  }
}

void plic::set_interrupt(int source, bool is_up) {
  up_ = is_up ? up_ | bit(source) : up_ & ~bit(source);
  forward();
}

std::uint64_t plic::enabled(std::size_t target) const {
  return regs_.enable[target].low.value() | std::uint64_t{regs_.enable[target].high.value()} << 32;
}

// The gateway of a line forwards one request at a time, the next once that one is completed.
void plic::forward() {
  pending_ |= up_ & ~claimed_;
  update();
}

// Of equal priorities the lowest number; of priority 0 none.
std::uint32_t plic::best_source(std::size_t target, std::uint32_t threshold) const {
  std::uint32_t best = 0;
  std::uint32_t highest = threshold;
  for (std::uint64_t left = pending_ & enabled(target); left != 0; left &= left - 1) {
    const auto source = static_cast<std::uint32_t>(__builtin_ctzll(left));
    const std::uint32_t priority = regs_.source[source].priority.level.get();
    if (priority <= highest) continue;
    highest = priority;
    best = source;
  }
  return best;
}

std::uint32_t plic::claim(std::size_t target) {
  const std::uint32_t source = best_source(target, 0);
  if (source == 0) {
    ++counters_.empty_claims;
    return 0;
  }
  ++counters_.claims;
  pending_ &= ~bit(source);
  claimed_ |= bit(source);
  update();
  return source;
}

void plic::complete(std::size_t target, std::uint32_t source) {
  if (source == 0 || source > inputs_.size() || (enabled(target) & bit(source)) == 0) return;
  claimed_ &= ~bit(source);
  forward();
}

void plic::update() {
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    outputs_[i]->set(best_source(i, regs_.target[i].threshold.level.get()) != 0);
}

std::string plic::waiting_for() const {
  if (claimed_ == 0) return {};
  return fmt::format("source {} to be completed", __builtin_ctzll(claimed_));
}

}  // namespace heddle
