// What the DMA engine remembers of a channel, of a descriptor under way and of a burst under way.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "models/dma/dma_regs.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_signal.hpp"
#include "sw/drivers/dma_descriptor.h"
#include "transactors/memory/extensions.hpp"

namespace heddle {

struct dma_work {
  dma_descriptor descriptor;
  std::uint64_t age = 0;       // smaller came first, over all channels
  std::uint16_t step = 0;      // number of the copy, also of the writes that follow it
  std::uint32_t started = 0;   // bytes given to bursts
  std::uint32_t finished = 0;  // bytes visible at the destination
  cause why;                   // it was fetched
  bool is_started() const { return started == descriptor.length; }
  bool is_finished() const { return finished == descriptor.length; }
  bool is_fenced() const { return (descriptor.control & DMA_FENCE) != 0; }
  bool is_write() const { return (descriptor.control & DMA_OPCODE_MASK) == DMA_WRITE; }
};

struct dma_channel {
  explicit dma_channel(int i) : index(i) {}

  int index;
  std::uint32_t generation = 0;  // counts resets: what was under way before is ignored
  std::uint32_t posted = 0, fetched = 0, completed = 0;  // free-running
  bool is_fetching = false;
  bool is_stopped = false;  // by an error, until reset
  fs_t fence_since = fs_never;
  std::deque<dma_work> work;       // fetched, not completed; in ring order
  std::size_t next = 0;            // first of `work` that is not completely started
  std::uint64_t first_number = 0;  // running number of work.front()
  trace_signal<dma_regs::channel_status_state> state_trace;

  dma_work& next_work() { return work[next]; }
  dma_work* numbered(std::uint64_t number) {
    const std::uint64_t nth = number - first_number;
    return nth < work.size() ? &work[nth] : nullptr;
  }
};

struct dma_fetch {
  dma_channel* channel = nullptr;
  std::uint32_t generation = 0;
  std::vector<dma_descriptor> descriptors;
  cause why;
};

// The payload of a burst is the burst itself, so that a response needs no search for it.
struct dma_burst final : tlm::tlm_generic_payload {
  dma_burst() { set_extension(&bulk); }
  dma_burst(const dma_burst&) = delete;
  dma_burst& operator=(const dma_burst&) = delete;
  ~dma_burst() override { clear_extension(&bulk); }  // not the payload's to free
  void clear() {
    bulk.slice.reset();
    why = {};
  }

  dma_channel* channel = nullptr;
  std::uint64_t number = 0;  // of the descriptor
  std::uint64_t destination = 0;
  std::uint32_t generation = 0;
  std::uint32_t bytes = 0;
  cause why;
  bool is_pull = false;  // far source, local destination
  bulk_extension bulk;

  static dma_burst& of(tlm::tlm_generic_payload& payload) {
    return static_cast<dma_burst&>(payload);
  }
};

}  // namespace heddle
