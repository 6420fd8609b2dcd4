#include "gate.hpp"

#include <fmt/format.h>

#include "platform/unit/simulation.hpp"

namespace outside {
namespace {

HEDDLE_REGISTER_UNIT(gate, heddle::describe_unit<gate>("gate", "a barrier in hardware",
                                                       heddle::gate_regs::markdown));

}  // namespace

std::vector<heddle::port_description> gate::port_descriptions() {
  return {{"registers", "memory target", "the register block"}};
}

gate::gate(const heddle::unit_context& context, const parameters& p)
    : unit(context),
      expected_(p.expected()),
      latency_(p.latency().fs),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      opens_(heddle::timed_call::to<gate, &gate::open>(*this)) {
  regs_.expected.set(static_cast<std::uint32_t>(expected_));
  regs_.arrive.on_write([this](std::uint64_t, std::uint64_t) { arrive(); });
  arrived_trace_ = heddle::trace_scope(sim().trace(), path()).vector("arrived", 16);
}

void gate::arrive() {
  ++counters_.arrivals;
  if (arrived_ == 0) first_arrival_ = heddle::now_fs();
  arrived_trace_.set(++arrived_, heddle::now_fs());
  if (arrived_ == expected_) {
    counters_.gathering += heddle::now_fs() - first_arrival_;
    opens_.at(heddle::now_fs() + latency_);
  }
}

void gate::open() {
  ++counters_.openings;
  arrived_ = 0;
  arrived_trace_.set(arrived_, heddle::now_fs());
  regs_.openings.set(regs_.openings.value() + 1);
}

std::string gate::waiting_for() const {
  if (arrived_ == 0) return {};
  return fmt::format("arrivals, {} of {} are there", arrived_, expected_);
}

}  // namespace outside
