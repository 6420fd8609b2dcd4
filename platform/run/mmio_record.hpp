// One line of an MMIO log: an access of a core, in names and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/number/atomic_operation.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

struct mmio_record {
  fs_t time = 0;  // when it reached the registers; for memory, when the core made it
  std::string core, function, file;  // "" where unknown
  int line = 0;
  std::string command;  // read, write, or the name of an atomic operation
  std::uint64_t address = 0;
  unsigned bytes = 0;
  std::string unit;           // "" for memory
  std::string register_name;  // "" where there is no register
  std::uint64_t offset = 0;   // in the unit's block
  std::uint64_t value = 0;    // read or written; of an atomic, what was there before if it is told
  std::string fields;         // "state=RUN error=NONE"; of an atomic "operand=0x1 expected=0x0"
  std::string response;       // "TLM_OK_RESPONSE"

  std::string text() const;  // for people
};

std::string text_of(const atomic_update& atomic);
// Nothing: the access is no atomic.
std::optional<atomic_update> atomic_of(const mmio_record& record);

// A log is a table with these columns, as CSV or as a JSON array of objects, by its file name.
bool is_csv(const std::string& file);
std::string csv_heading();
std::string csv_line(const mmio_record& record);
std::string json_line(const mmio_record& record);

// user_error with file and line.
std::vector<mmio_record> read_mmio_log(const std::string& file);

}  // namespace heddle
