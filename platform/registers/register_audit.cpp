#include "platform/registers/register_audit.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "platform/text/quantity.hpp"

namespace heddle {

std::string register_audit::text() const {
  const bool is_write = command == tlm::TLM_WRITE_COMMAND;
  const std::string what = is_write ? fmt::format("write of {:#x} to", value) : "read of";
  const std::string where = register_name.empty()
                                ? fmt::format("offset {:#x}", offset)
                                : fmt::format("{} (offset {:#x})", register_name, offset);
  const std::string who = initiator.empty() ? "" : " by " + initiator;
  return fmt::format("{}: {} {} at {}{}: {}", path, what, where, format_duration(time), who,
                     reason);
}

std::string register_audit::full_text() const {
  std::string all = text();
  if (!place.empty()) all += "\n  at " + place;
  if (!history.empty()) all += fmt::format("\n  last accesses to {}:", path);
  for (const std::string& each : history) all += "\n    " + each;
  return all;
}

void register_audit_log::add(register_audit record) {
  ++count_;
  if (count_ <= shown_limit) spdlog::warn("register access refused: {}", record.full_text());
  if (count_ == shown_limit) spdlog::warn("further refused register accesses are only counted");
  if (records_.size() < kept_limit) records_.push_back(record);
  last_ = std::move(record);
}

}  // namespace heddle
