#include "models/plic/plic.hpp"

#include <fmt/format.h>

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
        [this](std::uint32_t, std::uint32_t source) { complete(source); });
  }
  for (std::size_t i = 0; i < regs_.pending.size(); ++i)
    regs_.pending[i].sources.on_read(
        [this, i] { return static_cast<std::uint32_t>(pending() >> (32 * i)); });
}

void plic::set_interrupt(int source, bool is_up) {
  up_ = is_up ? up_ | bit(source) : up_ & ~bit(source);
  update();
}

// Of equal priorities the lowest number.
std::uint32_t plic::best_source(std::size_t target) const {
  const std::uint64_t enabled =
      regs_.enable[target].low.value() | std::uint64_t{regs_.enable[target].high.value()} << 32;
  std::uint32_t best = 0;
  std::uint32_t highest = regs_.target[target].threshold.level.get();
  for (std::uint64_t left = pending() & enabled; left != 0; left &= left - 1) {
    const auto source = static_cast<std::uint32_t>(__builtin_ctzll(left));
    const std::uint32_t priority = regs_.source[source].priority.level.get();
    if (priority <= highest) continue;
    highest = priority;
    best = source;
  }
  return best;
}

std::uint32_t plic::claim(std::size_t target) {
  const std::uint32_t source = best_source(target);
  if (source == 0) {
    ++counters_.empty_claims;
    return 0;
  }
  ++counters_.claims;
  claimed_ |= bit(source);
  update();
  return source;
}

void plic::complete(std::uint32_t source) {
  if (source == 0 || source > inputs_.size()) return;
  claimed_ &= ~bit(source);
  update();
}

void plic::update() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i]->set(best_source(i) != 0);
}

std::string plic::waiting_for() const {
  if (claimed_ == 0) return {};
  return fmt::format("source {} to be completed", __builtin_ctzll(claimed_));
}

}  // namespace heddle
