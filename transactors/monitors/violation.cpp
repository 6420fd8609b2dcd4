#include "transactors/monitors/violation.hpp"

#include <fmt/format.h>

#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

void report_violation(simulation& sim, const std::string& object, const std::string& transaction,
                      const std::string& rule) {
  sim.service<run_control>().fail(fmt::format("{}: protocol violation at {}: {}: {}", object,
                                              format_duration(now_fs()), transaction, rule));
}

std::string describe(const tlm::tlm_generic_payload& payload) {
  const char* command = payload.is_read() ? "read" : payload.is_write() ? "write" : "command";
  return fmt::format("{} of {} B at {:#x}", command, payload.get_data_length(),
                     payload.get_address());
}

std::string describe(const packet& p) {
  return fmt::format("{} with tag {} from endpoint {} to endpoint {}, {} B on vc {}",
                     name_of(p.kind), p.tag, p.source, p.destination, p.wire_bytes, p.vc);
}

}  // namespace heddle
