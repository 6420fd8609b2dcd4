#include "platform/registers/register_audit.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "platform/text/quantity.hpp"

namespace heddle {

const char* register_audit::heading() const {
  switch (outcome) {
    case audit_outcome::refused:
      break;
    case audit_outcome::performed:
      return "register contract broken, the access was performed: ";
    case audit_outcome::ignored:
      return "register access ignored: ";
  }
  return "register access refused: ";
}

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
  if (count_ <= shown_limit && !is_quiet_)
    spdlog::warn("{}{}", record.heading(), record.full_text());
  if (count_ == shown_limit && !is_quiet_)
    spdlog::warn("further wrong register accesses are only counted");
  if (records_.size() < kept_limit) records_.push_back(record);
  last_ = std::move(record);
}

}  // namespace heddle
