// A DMA engine as the driver sees it, with as much disorder as its contract allows.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "sw/drivers/dma_descriptor.h"
#include "tests/firmware/event_queue.hpp"
#include "tests/firmware/timing.hpp"

namespace heddle::test {

// Where the engine's accesses go. `visible` is called after each change of a destination.
class dma_bus {
 public:
  virtual ~dma_bus() = default;
  virtual dma_descriptor fetch(std::uint64_t address) = 0;
  virtual void copy(std::uint64_t destination, const std::vector<std::byte>& bytes) = 0;
  virtual std::vector<std::byte> read(std::uint64_t source, std::uint64_t bytes) = 0;
  virtual void write(std::uint64_t destination, std::uint32_t value) = 0;
  virtual void reduce(const dma_descriptor& descriptor) = 0;
  virtual void registers_changed() = 0;
  // A word that tells of the past: it may come after the job.
  virtual bool may_come_late(std::uint64_t destination) const = 0;
};

// Faults to inject; descriptors are counted over all channels of the engine, from 0.
struct dma_faults {
  bool ignores_fences = false;
  std::uint64_t lost_write = UINT64_MAX;      // becomes complete but never visible
  std::uint64_t bad_descriptor = UINT64_MAX;  // stops its channel
  std::uint32_t first_count = 0;              // of doorbell and completed
};

class dma_engine final {
 public:
  dma_engine(std::uint32_t rank, event_queue& events, timing& times, dma_bus& bus,
             const dma_faults& faults);

  std::uint64_t read(std::uint64_t offset) const;
  void write(std::uint64_t offset, std::uint64_t value);

  // Something has been written into the engine's own memory.
  void memory_changed();

  // Nothing is on its way; completions may still be unknown.
  bool is_visible() const { return invisible_ == 0; }

 private:
  static constexpr std::uint32_t channels = 16;

  struct channel {
    std::uint64_t base = 0;
    std::uint32_t entries = 0;
    std::uint32_t entry = 0;  // of the next descriptor
    std::uint32_t posted = 0;
    std::uint32_t started = 0;
    std::uint32_t completed = 0;
    std::uint32_t error = 0;
    bool is_starting = false;
    bool is_reducing = false;
    std::uint64_t unread = 0;                 // fragments that have not left
    std::map<std::uint64_t, int> on_the_way;  // copies and writes, by the window they go to
    std::map<std::uint32_t, bool> done;       // out of ring order, by count
  };

  static std::uint64_t offset_in(std::uint64_t offset) { return offset % 0x40; }
  void schedule_start(channel& from);
  void start(channel& from);
  void copy(channel& from, const dma_descriptor& descriptor);
  void copy_to_lines(channel& from, const dma_descriptor& descriptor);
  void write_value(channel& from, const dma_descriptor& descriptor);
  bool holds_back(channel& from, const dma_descriptor& descriptor);
  void reduce(channel& from, const dma_descriptor& descriptor);
  void send(channel& from, std::uint64_t destination);
  void arrive(channel& from, std::uint64_t destination);
  void finish(channel& from, std::uint32_t count);

  std::uint32_t rank_;
  event_queue& events_;
  timing& times_;
  dma_bus& bus_;
  dma_faults faults_;
  std::uint64_t descriptors_ = 0;
  std::uint64_t invisible_ = 0;
  std::array<channel, channels> channels_;
};

}  // namespace heddle::test
