#include "platform/contracts/register_audit.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "platform/contracts/buffer_contract.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

spdlog::level::level_enum level_of(contract_severity severity) {
  switch (severity) {
    case contract_severity::log:
      break;
    case contract_severity::error:
      return spdlog::level::err;
    case contract_severity::fatal:
      return spdlog::level::critical;
  }
  return spdlog::level::warn;
}

}  // namespace

const char* register_audit::heading() const {
  if (register_name == buffer_contract) return "buffer contract broken: ";
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
  const std::string who = initiator.empty() ? "" : " by " + initiator;
  const bool is_of_buffer = register_name == buffer_contract;
  if (is_of_buffer && command == tlm::TLM_IGNORE_COMMAND && history.empty())
    return fmt::format("{}: at {}{}: {}", path, format_duration(time), who, reason);
  const bool is_write = command == tlm::TLM_WRITE_COMMAND;
  const char* const other = command == tlm::TLM_READ_COMMAND ? "read of" : "atomic access to";
  const std::string what = is_write ? fmt::format("write of {:#x} to", value) : other;
  const std::string where = register_name.empty() || is_of_buffer
                                ? fmt::format("offset {:#x}", offset)
                                : fmt::format("{} (offset {:#x})", register_name, offset);
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
  ++counts_[static_cast<int>(record.severity)];
  if ((count_ <= shown_limit || record.is_fatal()) && !is_quiet_)
    spdlog::log(level_of(record.severity), "{}{}", record.heading(), record.full_text());
  if (count_ == shown_limit && !is_quiet_)
    spdlog::warn("further wrong register accesses are only counted");
  if (records_.size() < kept_limit) records_.push_back(record);
  last_ = std::move(record);
}

std::string register_audit_log::tally() const {
  std::string parts;
  for (int i = 0; i < contract_severities; ++i)
    if (counts_[i] > 0)
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", counts_[i],
                           name_of(static_cast<contract_severity>(i)));
  return fmt::format("{} register violation{}: {}", count_, count_ == 1 ? "" : "s", parts);
}

}  // namespace heddle
