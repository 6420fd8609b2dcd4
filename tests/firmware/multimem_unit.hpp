// The multimem unit as its driver sees it, and the multicast region behind it, with as much
// disorder as their contract allows: parts are loaded at any time and become visible at each member
// at another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/tensor/reduce.hpp"
#include "tests/firmware/event_queue.hpp"
#include "tests/firmware/timing.hpp"

namespace heddle::test {

// Where the unit's accesses go. Offsets are those in the region, the same in every member's memory.
class multimem_bus {
 public:
  virtual ~multimem_bus() = default;
  virtual std::uint32_t members() const = 0;
  virtual std::vector<std::byte> load_own(std::uint64_t address, std::uint64_t bytes) = 0;
  virtual void store_own(std::uint64_t address, const std::vector<std::byte>& bytes) = 0;
  virtual std::vector<std::byte> load_reduced(std::uint64_t offset, std::uint64_t bytes, dtype type,
                                              reduce_op op) = 0;
  virtual void store_at(std::uint32_t member, std::uint64_t offset,
                        const std::vector<std::byte>& bytes) = 0;
  virtual void multimem_changed() = 0;
};

class multimem_unit final {
 public:
  static constexpr std::uint64_t region = std::uint64_t{1} << 48;

  multimem_unit(std::uint32_t rank, event_queue& events, timing& times, multimem_bus& bus)
      : rank_(rank), events_(events), times_(times), bus_(bus) {}

  std::uint64_t read(std::uint64_t offset) const;
  void write(std::uint64_t offset, std::uint64_t value);
  bool is_idle() const { return missing_ == 0; }

 private:
  void start();
  void load_part(std::uint64_t begin, std::uint64_t bytes, std::uint64_t visible_after);
  void store_part(std::uint64_t begin, const std::vector<std::byte>& data);
  void finish_part();
  dtype type() const;
  std::uint32_t kind() const;

  std::uint32_t rank_;
  event_queue& events_;
  timing& times_;
  multimem_bus& bus_;
  std::uint64_t source_ = 0, destination_ = 0;
  std::uint32_t bytes_ = 0, operation_ = 0, completed_ = 0;
  std::size_t missing_ = 0;  // parts under way
};

}  // namespace heddle::test
