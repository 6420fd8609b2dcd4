#include "platform/buffers/buffer_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/buffers/firmware_origin.hpp"
#include "platform/contracts/buffer_contract.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

std::string advice(const buffer_claim& broken, bool is_write) {
  const std::string holder =
      *broken.engine +
      (broken.use == buffer_use::destination ? " still writes it" : " still reads it");
  const char* what = !is_write ? "the result is there at its completion, not before"
                     : broken.use == buffer_use::descriptor
                         ? "wait for its completion before the entry is written again"
                         : "wait for its completion before the buffer is used again";
  return fmt::format("{} ({}): {}", holder, broken.text(), what);
}

}  // namespace

void report_contract(simulation& sim, register_audit record) {
  record.outcome = audit_outcome::performed;
  record.register_name = buffer_contract;
  record.severity = sim.settings().contracts.of(record.path);
  const bool is_fatal = record.is_fatal();
  std::map<std::string, std::uint64_t>& lines = sim.service<buffer_directory>().reports_by_line;
  if (!record.place.empty() && lines[record.path + " at " + record.place]++ > 0 && !is_fatal)
    return;
  sim.service<register_audit_log>().add(std::move(record));
  if (is_fatal) sim.service<run_control>().stop();
}

void check_buffers(simulation& sim, const std::string& memory, const buffer_shadow& shadow,
                   const tlm::tlm_generic_payload& payload, const access_origin& origin,
                   fs_t when) {
  const auto* const about = dynamic_cast<const firmware_origin*>(&origin);
  const std::uint64_t first = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  const bool is_read = payload.is_read();
  if (bytes == 0 || origin.initiator == nullptr || about == nullptr) return;
  // A core that polls a word expects that an engine still owns it, or that nobody has written it.
  const buffer_claim* const claim =
      is_read && about->is_poll ? nullptr : shadow.find(first, bytes, !is_read);
  const bool is_unwritten =
      is_read && !about->is_poll && !about->is_private && !shadow.is_written(first, bytes);
  if (!claim && !is_unwritten) return;
  register_audit record;
  record.time = when;
  record.path = memory;
  record.offset = first;
  record.command = payload.get_command();
  if (payload.is_write())
    std::memcpy(&record.value, payload.get_data_ptr(),
                std::min<std::size_t>(bytes, sizeof record.value));
  record.reason = claim ? advice(*claim, !is_read)
                        : fmt::format(
                              "nobody has written these {} bytes: initialize them, or "
                              "check the address",
                              bytes);
  if (record.command == tlm::TLM_IGNORE_COMMAND)  // the record does not say that it is an access
    record.reason = fmt::format("atomic access to offset {:#x}: {}", first, record.reason);
  record.initiator = origin.initiator->initiator_path();
  record.place = origin.initiator->line_at(origin.at).text();
  report_contract(sim, std::move(record));
}

void check_interrupts(simulation& sim, const access_initiator& core, std::uint64_t lines_up,
                      const code_point& waited_at) {
  if (lines_up == 0 || !sim.service<buffer_directory>().is_on) return;
  register_audit record;
  record.time = now_fs();
  record.path = core.initiator_path();
  record.reason = fmt::format(
      "ends while interrupt line {} is up: nobody has cleared what raised it, write the ones of "
      "irq_status back",
      __builtin_ctzll(lines_up));
  record.initiator = core.initiator_path();
  record.place = core.line_at(waited_at).text();
  report_contract(sim, std::move(record));
}

void check_unfinished(simulation& sim, const access_initiator& core) {
  for (const buffer_shadow* shadow : sim.service<buffer_directory>().shadows) {
    for (const buffer_claim& each : shadow->claims()) {
      if (each.starter != &core || each.use == buffer_use::descriptor) continue;
      register_audit record;
      record.time = now_fs();
      record.path = core.initiator_path();
      record.reason =
          fmt::format("ends while {} is at work ({}): wait for completion before the program ends",
                      *each.engine, each.text());
      record.initiator = core.initiator_path();
      record.place = core.line_at(each.started_at).text();
      report_contract(sim, std::move(record));
    }
  }
}

}  // namespace heddle
