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

std::string described_access::text() const {
  const char* command = command_ == tlm::TLM_READ_COMMAND    ? "read"
                        : command_ == tlm::TLM_WRITE_COMMAND ? "write"
                                                             : "command";
  return fmt::format("{} of {} B at {:#x}", command, bytes_, address_);
}

std::string described_packet::text() const {
  return fmt::format("{} with tag {} from endpoint {} to endpoint {}, {} B on vc {}",
                     name_of(kind_), tag_, source_, destination_, wire_bytes_, vc_);
}

}  // namespace heddle
