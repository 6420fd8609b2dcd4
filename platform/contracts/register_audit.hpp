// The run's list of register accesses that were wrong: what the firmware did, by name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tlm>
#include <vector>

#include "platform/contracts/contract_settings.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

inline constexpr int contract_severities = 3;

// As a netlist calls it.
inline const char* name_of(contract_severity severity) {
  constexpr const char* names[contract_severities] = {"log", "error", "fatal"};
  return names[static_cast<int>(severity)];
}

// What became of an access that was wrong.
enum class audit_outcome : std::uint8_t { refused, performed, ignored };

struct register_audit {
  contract_severity severity = contract_severity::error;
  audit_outcome outcome = audit_outcome::refused;
  fs_t time = 0;              // when the access would have taken effect
  std::string path;           // of the unit
  std::string register_name;  // "channel[3].doorbell"; empty where there is no register
  std::uint64_t offset = 0;   // from the start of the block
  tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
  std::uint64_t value = 0;           // what was to be written, 0 for reads
  std::string reason;                // with the names of the fields concerned
  std::string initiator;             // core or process that made the access, empty outside both
  std::string place;                 // "sw/drivers/dma.c:57 in dma_open"; empty where unknown
  std::vector<std::string> history;  // accesses of firmware to the unit before, oldest first

  bool is_fatal() const { return severity == contract_severity::fatal; }
  // "register access refused: "
  const char* heading() const;
  // "gpu[0].dma: write of 0x40 to channel[3].doorbell (offset 0x1cc) at 12.5 us by ...: reason"
  std::string text() const;
  // The same with place and history, in lines of their own.
  std::string full_text() const;
};

// One per run: simulation::service<register_audit_log>(). Each record is told once, when it is
// added: as a warning, an error or a fatal error.
class register_audit_log {
 public:
  // A firmware that polls a wrong address forever must not fill the memory or the terminal.
  static constexpr std::size_t kept_limit = 10'000;
  static constexpr std::size_t shown_limit = 20;

  void add(register_audit record);
  void keep_quiet() { is_quiet_ = true; }  // where wrong accesses are made on purpose
  bool is_quiet() const { return is_quiet_; }

  const std::vector<register_audit>& records() const { return records_; }  // the first kept_limit
  std::uint64_t count() const { return count_; }                           // of all
  std::uint64_t count(contract_severity severity) const {
    return counts_[static_cast<int>(severity)];
  }
  bool fails_run() const { return count_ > count(contract_severity::log); }
  // "3 register violations: 2 error, 1 fatal"
  std::string tally() const;
  const register_audit& last() const { return last_; }  // if there is any

 private:
  std::vector<register_audit> records_;
  register_audit last_;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, contract_severities> counts_{};
  bool is_quiet_ = false;
};

}  // namespace heddle
