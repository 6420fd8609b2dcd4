// Random netlists: most parts are right, some are not, and sizes are small or absurd. What they are
// like follows from a list of bytes alone, so that a fuzzer can steer them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

class netlist_generator {
 public:
  // Past their end, the bytes are zeros, and nothing is repeated any more.
  explicit netlist_generator(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  std::string netlist();

 private:
  using words = std::vector<std::string>;

  std::uint64_t below(std::uint64_t limit);
  bool in_percent(std::uint64_t percent) { return next_ < bytes_.size() && below(100) < percent; }
  const std::string& one_of(const words& choices) { return choices[below(choices.size())]; }
  std::string small() { return std::to_string(1 + below(4)); }

  std::string number();
  std::string value();
  std::string list();
  std::string more(const words& keys, std::uint64_t percent);
  std::string host();
  std::string topology();
  std::string unit();
  std::string end();
  std::string repetition();
  std::string links();
  std::string binds();
  std::string map();
  std::string routing();
  std::string workload();

  std::vector<std::uint8_t> bytes_;
  std::size_t next_ = 0;
  std::string planes_ = "1";  // of the topology
};

}  // namespace heddle
