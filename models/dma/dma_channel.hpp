// What the DMA engine remembers of a channel, of a descriptor under way and of a burst under way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/dma/dma_regs.hpp"
#include "models/dma/ring_position.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/poll/word_watch.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_signal.hpp"
#include "sw/drivers/dma_descriptor.h"
#include "transactors/memory/memory_requester.hpp"

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
  bool is_control() const { return (descriptor.control & DMA_CONTROL) != 0; }
  bool is_ordered() const { return (descriptor.control & DMA_ORDERED) != 0; }
  std::uint32_t opcode() const { return descriptor.control & DMA_OPCODE_MASK; }
  bool is_write() const { return opcode() == DMA_WRITE; }
  bool is_copy() const { return opcode() == DMA_COPY; }
  bool makes_lines() const { return (descriptor.control & DMA_LINES) != 0; }
};

// A free-running counter in memory that a channel waits for.
struct dma_counter {
  explicit dma_counter(timed_call told) : watch(told) {}

  bool has_reached(std::uint64_t count) const {
    if (bytes == 8) return value >= count;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value - count)) >= 0;
  }

  std::uint64_t address = 0;
  std::uint32_t bytes = 0;  // 0: none has been read
  std::uint64_t value = 0;  // when it was read last
  std::uint64_t wanted = 0;
  bool is_awaited = false;  // read again and again until it has reached what is wanted
  bool is_being_read = false;
  cause writer;
  word_watch watch;
  word_watches* watched_at = nullptr;
};

// Copies run ahead of what a counter says has been done by at most `bytes`.
struct dma_window {
  std::uint64_t bytes = 0;  // 0: no window
  std::uint64_t counter = 0;
  std::uint32_t first_count = 0;
  std::uint64_t unit = 1;
  std::uint64_t started = 0;  // bytes, since the window began

  // Half of the window in whole units, so that a burst is sent while the one before it is being
  // counted; at least as much of one unit as fits.
  std::uint64_t longest_burst() const {
    const std::uint64_t half = bytes / 2 / unit * unit;
    return half > 0 ? half : std::min(bytes, unit);
  }
};

// What stops the channel once the descriptors before it have completed.
struct dma_stop {
  dma_regs::channel_status_error reason = dma_regs::channel_status_error::NONE;
  std::string what;
  explicit operator bool() const { return reason != dma_regs::channel_status_error::NONE; }
};

class dma_engine;

struct dma_channel {
  dma_channel(dma_engine& e, int i)
      : engine(e),
        index(i),
        counter(timed_call::to<dma_channel, &dma_channel::look_again>(*this)) {}
  void look_again();  // the counter has changed

  dma_engine& engine;
  int index;
  std::uint32_t generation = 0;             // counts resets: what was under way before is ignored
  std::uint32_t posted = 0, completed = 0;  // free-running
  ring_position to_fetch;                   // the descriptor that is read next
  bool is_fetching = false;
  dma_stop stops_behind_work;  // none: all that has been fetched is right
  bool is_stopped = false;     // by an error, until reset
  fs_t fence_since = fs_never;
  std::deque<dma_work> work;  // fetched, not completed; in ring order
  std::size_t next = 0;       // first of `work` that is not completely started
  // Bursts, reads of descriptors and counters, and reductions that have not ended. Those that an
  // error or a reset has made void are among them.
  unsigned under_way = 0;
  bool is_resetting = false;  // until nothing is under way
  dma_counter counter;
  dma_window window;
  bool is_reducing = false;
  unsigned reading = 0;  // bursts, from local memory
  fs_t latest_due = 0;   // of the bursts that were started
  cause why;             // the latest step that held it back is done
  fs_t state_since = 0;  // since when its state is what it is, or that has been counted
  trace_signal<dma_regs::channel_status_state> state_trace;

  dma_work& next_work() { return work[next]; }
  // Descriptors are numbered as `completed` counts them.
  std::uint32_t number_of(std::size_t nth) const {
    return completed + static_cast<std::uint32_t>(nth);
  }
  dma_work* numbered(std::uint32_t number) {
    const std::uint32_t nth = number - completed;
    return nth < work.size() ? &work[nth] : nullptr;
  }
  // Whether what began in that generation still counts.
  bool is_current(std::uint32_t begun_in) const { return begun_in == generation && !is_stopped; }
};

// A step of a channel that is done at its time: a counter read, or a reduction.
struct dma_step {
  dma_channel* channel = nullptr;
  std::uint32_t generation = 0;
};

// Descriptors on their way from the ring.
struct dma_fetch {
  void clear() { why.clear(); }

  dma_channel* channel = nullptr;
  std::uint32_t generation = 0;
  std::vector<dma_descriptor> descriptors;
  cause why;
};

struct dma_burst {
  void clear() {
    slice.reset();
    word.bytes = 0;
    why.clear();
  }

  dma_channel* channel = nullptr;
  std::uint32_t number = 0;  // of the descriptor
  std::uint64_t source = 0, destination = 0;
  std::uint64_t address = 0;  // of the access that was made last
  std::uint32_t generation = 0;
  std::uint32_t bytes = 0;  // of data
  std::uint16_t step = 0;
  bool is_in_lines = false;  // at the destination
  std::uint64_t flag = 0;    // of the lines
  bool is_pull = false;      // far source, local destination
  bool is_carried = false;   // its bytes are real
  bool is_ordered = false;   // staged behind the bursts of the channel before it
  word_behind word;          // of the next descriptor
  payload_slice slice;       // them
  cause why;
};

// Reads both operands, then writes the result.
struct dma_reduction {
  void clear() { *this = dma_reduction{}; }

  dma_channel* channel = nullptr;
  std::uint32_t generation = 0;
  payload_slice operand, result;
  unsigned left = 0;  // accesses, also those that have not begun
  fs_t computed = 0;  // no earlier than that
  bool is_ok = true;
};

// What an access on a socket belongs to: exactly one of these pointers is set.
struct dma_access {
  dma_burst* burst = nullptr;
  dma_fetch* fetch = nullptr;
  dma_channel* counted = nullptr;  // its counter
  dma_reduction* reduction = nullptr;
  std::uint32_t generation = 0;  // of the channel that counts
};
using dma_requester = memory_requester<dma_access>;

}  // namespace heddle
