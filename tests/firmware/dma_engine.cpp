#include "tests/firmware/dma_engine.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "regs/dma_regs.h"
#include "sw/drivers/line.h"

namespace heddle::test {

dma_engine::dma_engine(std::uint32_t rank, event_queue& events, timing& times, dma_bus& bus,
                       const dma_faults& faults)
    : rank_(rank), events_(events), times_(times), bus_(bus), faults_(faults) {
  for (channel& each : channels_) {
    each.posted = each.started = each.completed = faults.first_count;
  }
}

std::uint64_t dma_engine::read(std::uint64_t offset) const {
  if (offset == DMA_CHANNELS) return channels;
  const std::uint64_t index = (offset - DMA_CHANNEL_RING_BASE(0)) / 0x40;
  const channel& from = channels_.at(index);
  if (offset == DMA_CHANNEL_COMPLETED(index)) return from.completed;
  if (offset == DMA_CHANNEL_STATUS(index)) {
    const unsigned state = from.error != 0                 ? DMA_CHANNEL_STATUS_STATE_ERROR
                           : from.posted == from.completed ? DMA_CHANNEL_STATUS_STATE_IDLE
                                                           : DMA_CHANNEL_STATUS_STATE_RUN;
    return state << DMA_CHANNEL_STATUS_STATE_POS | from.error << DMA_CHANNEL_STATUS_ERROR_POS;
  }
  throw std::runtime_error("DMA register is not readable: " + std::to_string(offset));
}

void dma_engine::write(std::uint64_t offset, std::uint64_t value) {
  const std::uint64_t index = (offset - DMA_CHANNEL_RING_BASE(0)) / 0x40;
  channel& to = channels_.at(index);
  const auto word = static_cast<std::uint32_t>(value);
  if (offset == DMA_CHANNEL_DOORBELL(index)) {
    to.posted = word;
    if (to.posted - to.completed > to.entries) throw std::runtime_error("DMA ring overrun");
    schedule_start(to);
  } else if (to.posted != to.completed) {
    throw std::runtime_error("DMA set-up of a busy channel");
  } else if (offset == DMA_CHANNEL_RING_BASE(index)) {
    to.base = value;
    to.entry = 0;
  } else if (offset == DMA_CHANNEL_RING_ENTRIES(index)) {
    to.entries = word;
    to.entry = 0;
  } else {
    throw std::runtime_error("DMA register is not writable: " + std::to_string(offset));
  }
}

void dma_engine::schedule_start(channel& from) {
  if (from.is_starting || from.is_reducing || from.error != 0) return;
  if (from.started == from.posted) return;
  from.is_starting = true;
  events_.schedule(times_.start(), [this, &from] { start(from); });
}

void dma_engine::start(channel& from) {
  from.is_starting = false;
  const dma_descriptor descriptor = bus_.fetch(from.base + from.entry * sizeof(dma_descriptor));
  const bool is_fenced = (descriptor.control & DMA_FENCE) != 0 && !faults_.ignores_fences;
  if (is_fenced && from.completed != from.started) return;  // finish() tries again
  if (holds_back(from, descriptor)) return;
  if (descriptors_++ == faults_.bad_descriptor) {
    from.error = DMA_CHANNEL_STATUS_ERROR_BAD_DESCRIPTOR;
    return bus_.registers_changed();
  }
  ++from.started;
  from.entry = (from.entry + 1) % from.entries;
  switch (descriptor.control & DMA_OPCODE_MASK) {
    case DMA_COPY:
      copy(from, descriptor);
      break;
    case DMA_WRITE:
      write_value(from, descriptor);
      break;
    case DMA_WAIT:
      finish(from, from.started);
      break;
    case DMA_REDUCE:
      return reduce(from, descriptor);
    default:
      throw std::runtime_error("DMA opcode is unknown");
  }
  schedule_start(from);
}

// Somebody tries again: memory_changed(), arrive(), or the copy whose bytes have been read.
bool dma_engine::holds_back(channel& from, const dma_descriptor& descriptor) {
  switch (descriptor.control & DMA_OPCODE_MASK) {
    case DMA_WAIT: {
      std::uint32_t value = 0;
      std::memcpy(&value, bus_.read(descriptor.source, sizeof value).data(), sizeof value);
      return static_cast<std::int32_t>(value - static_cast<std::uint32_t>(descriptor.destination)) <
             0;
    }
    case DMA_REDUCE:
      return from.unread > 0;
    default:
      return (descriptor.control & DMA_ORDERED) != 0 &&
             from.on_the_way[descriptor.destination >> 32] > 0;
  }
}

void dma_engine::memory_changed() {
  for (channel& each : channels_)
    if (each.entries != 0) schedule_start(each);
}

void dma_engine::reduce(channel& from, const dma_descriptor& descriptor) {
  from.is_reducing = true;
  events_.schedule(times_.reduce(descriptor.length), [=, &from] {
    bus_.reduce(descriptor);
    from.is_reducing = false;
    finish(from, from.started);
  });
}

void dma_engine::send(channel& from, std::uint64_t destination) {
  ++from.on_the_way[destination >> 32];
  if (!bus_.may_come_late(destination)) ++invisible_;
}

// What was sent is visible at its destination.
void dma_engine::arrive(channel& from, std::uint64_t destination) {
  --from.on_the_way[destination >> 32];
  if (!bus_.may_come_late(destination)) --invisible_;
  schedule_start(from);
}

void dma_engine::copy(channel& from, const dma_descriptor& descriptor) {
  if (descriptor.length == 0) throw std::runtime_error("DMA copy of no bytes");
  if ((descriptor.control & DMA_LINES) != 0) return copy_to_lines(from, descriptor);
  const auto fragments = times_.copy(events_.now(), rank_, descriptor.length);
  const auto missing = std::make_shared<std::size_t>(fragments.size());
  const std::uint32_t count = from.started;
  send(from, descriptor.destination);
  from.unread += fragments.size();
  for (const fragment& part : fragments) {
    events_.schedule(part.read_after, [=, &from] {
      auto bytes = bus_.read(descriptor.source + part.offset, part.bytes);
      if (--from.unread == 0) schedule_start(from);
      events_.schedule(part.visible_after - part.read_after, [=, &from, data = std::move(bytes)] {
        bus_.copy(descriptor.destination + part.offset, data);
        if (--*missing > 0) return;
        arrive(from, descriptor.destination);
        events_.schedule(times_.acknowledge(), [=, &from] { finish(from, count); });
      });
    });
  }
}

// Each line comes when it likes.
void dma_engine::copy_to_lines(channel& from, const dma_descriptor& descriptor) {
  const std::uint64_t lines = lines_of(descriptor.length);
  const auto missing = std::make_shared<std::uint64_t>(lines);
  const std::uint32_t count = from.started;
  send(from, descriptor.destination);
  from.unread += lines;
  for (std::uint64_t i = 0; i < lines; ++i) {
    const std::uint64_t offset = i * LINE_DATA;
    const std::uint64_t bytes = std::min<std::uint64_t>(LINE_DATA, descriptor.length - offset);
    const fragment part = times_.copy(events_.now(), rank_, 1).front();
    events_.schedule(part.read_after, [=, &from] {
      std::vector<std::byte> line = bus_.read(descriptor.source + offset, bytes);
      line.resize(LINE_BYTES);
      std::memcpy(line.data() + LINE_DATA, &descriptor.reserved, sizeof descriptor.reserved);
      if (--from.unread == 0) schedule_start(from);
      events_.schedule(part.visible_after - part.read_after, [=, &from, data = std::move(line)] {
        bus_.copy(descriptor.destination + i * LINE_BYTES, data);
        if (--*missing > 0) return;
        arrive(from, descriptor.destination);
        events_.schedule(times_.acknowledge(), [=, &from] { finish(from, count); });
      });
    });
  }
}

void dma_engine::write_value(channel& from, const dma_descriptor& descriptor) {
  if (descriptor.length != 4) throw std::runtime_error("DMA write is not of 4 bytes");
  const std::uint32_t count = from.started;
  const bool is_lost = descriptors_ - 1 >= faults_.lost_write;
  send(from, descriptor.destination);
  events_.schedule(times_.write(), [=, &from] {
    if (!is_lost) bus_.write(descriptor.destination, static_cast<std::uint32_t>(descriptor.source));
    arrive(from, descriptor.destination);
    events_.schedule(times_.acknowledge(), [=, &from] { finish(from, count); });
  });
}

void dma_engine::finish(channel& from, std::uint32_t count) {
  from.done[count] = true;
  while (from.done.erase(from.completed + 1) != 0) ++from.completed;
  schedule_start(from);
  bus_.registers_changed();
}

}  // namespace heddle::test
