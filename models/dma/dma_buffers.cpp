// What the engine owns while descriptors are under way: from the doorbell to their completion their
// entries of the ring and their local ends. Destinations of DMA_WRITE are flags, which may be read
// at any time.
#include "models/dma/dma.hpp"
#include "sw/drivers/line.h"

namespace heddle {

void dma_engine::own(const dma_channel& channel, std::uint32_t first, std::uint32_t end) {
  const auto block = regs_.channel[channel.index];
  if (first == end || !buffers_.begin(block.doorbell.cell())) return;
  const auto entries = static_cast<std::uint32_t>(block.ring_entries.value());
  // What a debugger has poked into the registers keeps to no rule of theirs.
  constexpr std::uint32_t most_entries = 1 << 20;
  if (entries == 0 || entries > most_entries || end - first > entries) return;
  constexpr std::uint64_t entry_bytes = sizeof(dma_descriptor);
  buffers_.watch_ring(block.ring_base.value(), entries, entry_bytes);
  for (std::uint32_t number = first; number != end; ++number) {
    const std::uint64_t entry =
        block.ring_base.value() + channel.to_fetch.entry_of(number, entries) * entry_bytes;
    dma_descriptor posted;
    if (!buffers_.take_entry(entry, entry_bytes, number, channel.index)) continue;
    if (!buffers_.peek(entry, &posted, entry_bytes)) continue;
    const std::uint32_t opcode = posted.control & DMA_OPCODE_MASK;
    if (opcode != DMA_COPY && opcode != DMA_REDUCE) continue;
    const std::uint64_t work = buffer_claim::work_of(channel.index, number);
    const auto take = [&](buffer_use use, std::uint64_t address, std::uint64_t bytes) {
      if (is_local(address)) buffers_.take(use, address, bytes, work, channel.index);
    };
    const bool makes_lines = (posted.control & DMA_LINES) != 0;
    take(buffer_use::source, posted.source, posted.length);
    take(buffer_use::destination, posted.destination,
         makes_lines ? lines_of(posted.length) * LINE_BYTES : posted.length);
  }
}

void dma_engine::disown(const dma_channel& channel, std::uint32_t completed) {
  const auto block = regs_.channel[channel.index];
  const std::uint64_t work = buffer_claim::work_of(channel.index, completed);
  buffers_.release(work, work);
  const auto entries = static_cast<std::uint32_t>(block.ring_entries.value());
  if (entries == 0) return;
  buffers_.complete_entry(block.ring_base.value() +
                          channel.to_fetch.entry_of(completed, entries) * sizeof(dma_descriptor));
}

void dma_engine::disown_all(const dma_channel& channel) {
  buffers_.release(buffer_claim::work_of(channel.index, 0),
                   buffer_claim::work_of(channel.index, UINT32_MAX));
}

}  // namespace heddle
