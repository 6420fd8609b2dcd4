// What a hart needs of the unit around it.
#pragma once

#include <cstdint>

#include "platform/number/atomic_operation.hpp"

namespace heddle::rv {

// A read-modify-write of an aligned word of 4 or 8 bytes.
struct atomic_access {
  std::uint64_t address = 0;
  unsigned bytes = 8;
  atomic_operation operation = atomic_operation::add;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // of a compare-and-swap
};

class hart_bus {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  // The page that holds the address, if all of it may be accessed directly; else nullptr.
  virtual unsigned char* direct_page(std::uint64_t address) = 0;
  // Naturally aligned accesses of 1 to 8 bytes. False: nobody answers, or refuses.
  virtual bool load(std::uint64_t address, unsigned bytes, std::uint64_t& value) = 0;
  virtual bool store(std::uint64_t address, unsigned bytes, std::uint64_t value) = 0;
  // Where direct access is not granted: in one transaction. `before` is what was in memory.
  virtual bool modify(const atomic_access& access, std::uint64_t& before) = 0;
  // Nobody wants to know what was there before.
  virtual bool post_modify(const atomic_access& access) = 0;
  // Code outside direct pages; costs no time.
  virtual bool fetch(std::uint64_t address, std::uint16_t& parcel) = 0;
  // Waits for what has been posted. `for_devices`: stores to memory come before what devices are
  // told from now on.
  virtual void fence(bool for_devices) = 0;
  // The `time` CSR.
  virtual std::uint64_t time() = 0;
  // The program has read a counter of time or cycles: a loop that does may end by itself.
  virtual void time_is_read() = 0;

 protected:
  ~hart_bus() = default;
};

}  // namespace heddle::rv
