// One rank of the stand-in cluster: a core that runs the firmware, its memory, DMA, vector unit and
// multimem unit. The multicast region has all ranks as its members.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sw/hal/boot.h"
#include "tests/firmware/dma_engine.hpp"
#include "tests/firmware/fiber.hpp"
#include "tests/firmware/multimem_unit.hpp"
#include "tests/firmware/rank_memory.hpp"
#include "tests/firmware/vector_unit.hpp"

namespace heddle::test {

class cluster;

// A counter that a core polls; at address 0 it waits for the next job.
struct awaited {
  std::uint64_t address = 0;
  std::uint32_t count = 0;
};

class node final : public dma_bus, private multimem_bus {
 public:
  node(cluster& owner, std::uint32_t rank, const std::function<int()>& firmware);

  // The one whose firmware runs now.
  static node& current();

  static constexpr std::uint64_t window_of(std::uint64_t rank) { return (rank + 1) << 32; }
  static constexpr std::uint64_t dma_base = 0x10000;
  static constexpr std::uint64_t vector_base = 0x20000;
  static constexpr std::uint64_t multimem_base = 0x30000;

  // What the HAL does; each takes time. Registers and memory by absolute address.
  std::uint64_t load(std::uint64_t address, std::uint64_t bytes);
  void store(std::uint64_t address, std::uint64_t value, std::uint64_t bytes);
  void post_add(std::uint64_t address, std::uint64_t addend);  // in the multicast region
  bool wait(std::function<bool()> condition, std::uint64_t timeout, awaited what);
  std::uint32_t next_job();
  void mark(bool is_end);
  void log(const std::string& text);
  [[noreturn]] void end(int code);                                 // for good
  [[noreturn]] void stop(std::string&& reason);                    // for good, and fails the run
  std::uint64_t peek(std::uint64_t address, std::uint64_t bytes);  // takes no time

  std::uint64_t device(std::uint32_t block, std::uint32_t instance) const;  // 0: it has none
  std::uint64_t boot_address() const { return window_of(rank_) + memory_.offset_of("boot"); }
  rank_memory& memory() { return memory_; }
  std::optional<int> exit_code() const { return exit_code_; }
  std::string waits_for() const;
  bool is_visible() const { return dma_.is_visible() && multimem_.is_idle(); }

  void resume();
  void poke();  // something has changed that the firmware may wait for

  // dma_bus
  dma_descriptor fetch(std::uint64_t address) override;
  std::vector<std::byte> read(std::uint64_t source, std::uint64_t bytes) override;
  void copy(std::uint64_t destination, const std::vector<std::byte>& bytes) override;
  void write(std::uint64_t destination, std::uint32_t value) override;
  void reduce(const dma_descriptor& descriptor) override;
  void registers_changed() override { poke(); }
  bool may_come_late(std::uint64_t destination) const override;

 private:
  // multimem_bus
  std::uint32_t members() const override;
  std::vector<std::byte> load_own(std::uint64_t address, std::uint64_t bytes) override;
  void store_own(std::uint64_t address, const std::vector<std::byte>& bytes) override;
  std::vector<std::byte> load_reduced(std::uint64_t offset, std::uint64_t bytes, dtype type,
                                      reduce_op op) override;
  void store_at(std::uint32_t member, std::uint64_t offset,
                const std::vector<std::byte>& bytes) override;
  void multimem_changed() override { poke(); }

  void lay_out_memory();
  void memory_changed();
  void run_firmware(const std::function<int()>& firmware);
  std::byte* own(std::uint64_t address, std::uint64_t bytes, access wanted);
  std::uint32_t execute(const vector_operation& operation);
  void spend_access();
  void spend(std::uint64_t time);
  [[noreturn]] void sleep_forever();

  cluster& cluster_;
  std::uint32_t rank_;
  rank_memory memory_;
  dma_engine dma_;
  vector_unit vector_;
  multimem_unit multimem_;
  fiber fiber_;
  std::uint32_t jobs_ = 0;
  std::optional<int> exit_code_;
  // Not on the fiber's stack, because one that never wakes up is never unwound.
  std::function<bool()> condition_;
  bool is_waiting_ = false;
  std::uint64_t waits_ = 0;
  bool is_waking_ = false;
  awaited waits_for_;
};

}  // namespace heddle::test
