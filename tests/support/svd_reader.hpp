// A CMSIS-SVD file as a debugger reads it: every register with its address, arrays unrolled and
// `derivedFrom` followed. The XML is Boost's to parse.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle {

struct svd_field {
  std::string name, description, access, modified_write, read_action;
  unsigned low = 0, width = 0;
  bool is_limited_to_values = false;
  std::map<std::string, std::uint64_t> values;
};

struct svd_register {
  std::string name;  // "gpu_0_dma.channel[3].status"
  std::string description, access, modified_write, read_action;
  std::uint64_t address = 0, reset = 0, reset_mask = 0;
  unsigned width = 0;
  std::vector<std::uint64_t> range;  // minimum and maximum, or nothing
  std::vector<svd_field> fields;
};

struct svd_file {
  std::string name;
  std::map<std::string, std::uint64_t> bases;       // of peripherals
  std::map<std::string, std::uint64_t> interrupts;  // by name
  std::vector<svd_register> registers;

  const svd_register* find(const std::string& register_name) const;
};

// Throws what Boost throws where an element is missing.
svd_file read_svd(const std::string& file);

}  // namespace heddle
