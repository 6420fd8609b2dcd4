#include "tests/system/firmware_tools/crooked.hpp"

#include <cstring>

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(crooked, describe_unit<crooked>("crooked", "registers that deceive",
                                                     crooked_regs::markdown));

void answer(tlm::tlm_generic_payload& payload, std::uint32_t value) {
  std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

std::uint32_t data_of(const tlm::tlm_generic_payload& payload) {
  std::uint32_t value = 0;
  std::memcpy(&value, payload.get_data_ptr(), sizeof value);
  return value;
}

}  // namespace

crooked::crooked(const unit_context& context, const parameters& p)
    : unit(context),
      mistake_(p.mistake()),
      regs_(context),
      socket_("registers", access{this}),
      port_(*this, "registers", socket_) {
  if (is("reset")) regs_.level.set(5);
  if (is("field reset")) regs_.control.mode.set(crooked_regs::control_mode::TURBO);
  std::uint32_t ticks = 0;
  regs_.ticks.on_read([ticks]() mutable { return ++ticks; });
  plant_hooks();
}

void crooked::plant_hooks() {
  regs_.events.on_write([this](std::uint32_t before, std::uint32_t) {
    if (is("ones keep")) regs_.events.set(before);
    if (is("zeros clear")) regs_.events.set(0);
  });
  regs_.requests.on_write([this](std::uint32_t before, std::uint32_t) {
    if (is("ones set nothing")) regs_.requests.set(before);
  });
  regs_.control.on_write([this](std::uint32_t, std::uint32_t) {
    if (is("busy by write")) regs_.control.busy.set(crooked_regs::control_busy::YES);
    if (is("failed stays")) regs_.control.failed.set(crooked_regs::control_failed::YES);
  });
  regs_.lane[2].limit.on_write([this](std::uint64_t, std::uint64_t now) {
    if (is("stuck bit")) regs_.lane[2].limit.set(now & ~std::uint64_t{0x100});
  });
}

void crooked::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t offset = payload.get_address();
  if (is("read-only is written") && payload.is_write() && offset == crooked_regs::version_offset) {
    regs_.version.set(data_of(payload));
    return payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  if (is("write-only is read") && payload.is_read() && offset == crooked_regs::command_offset)
    return answer(payload, 7);
  const std::uint64_t samples = regs_.samples.value();
  regs_.b_transport(payload, delay);
  if (is("read keeps")) regs_.samples.set(samples);
  if (is("reserved bit") && payload.is_read() && offset == crooked_regs::control_offset)
    answer(payload, data_of(payload) | 0x8000);
}

}  // namespace heddle
