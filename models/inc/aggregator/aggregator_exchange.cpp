// Mode EXCHANGE: the scatter-gather engine of a hardware all-to-all.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/inc/aggregator/aggregator.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Of chunks in order of their bytes, the one that holds the byte, or the first one behind it.
template <class Chunks>
auto chunk_at(Chunks& chunks, std::uint64_t offset) {
  return std::partition_point(chunks.begin(), chunks.end(), [offset](const exchanged_chunk& each) {
    return each.first + each.bytes <= offset;
  });
}

}  // namespace

// Takes part of a table, or checks part of the buffer behind it. Returns why that cannot be, ""
// when it can.
std::string aggregator::take_table(aggregation_group& group, std::uint32_t child,
                                   const packet& request, std::uint64_t offset) {
  aggregation_child& from = group.children[child];
  if (offset >= exchange_table::bytes) {
    if (!from.has_table) return fmt::format("rank {} pushed no table", from.number);
    return refuse_chunks(group, from, offset - exchange_table::bytes, request.payload_bytes);
  }
  if (!request.payload || from.has_table || offset != from.pushed)
    return fmt::format("rank {} pushed a table that is no table, or a second one", from.number);
  bool is_complete = false;
  for (std::uint32_t at = 0; at < request.payload_bytes && !is_complete;) {
    const std::uint64_t filled = (offset + at) % from.record.size();
    const auto part = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(from.record.size() - filled, request.payload_bytes - at));
    std::memcpy(from.record.data() + filled, request.payload.data() + at, part);
    at += part;
    if (filled + part < from.record.size()) break;  // the next packet has the rest
    const bool is_head = offset + at == from.record.size();
    const fs_t known = request.tail + forwarding_ + (from.chunks.size() + 1) * cycle_;
    std::string refusal = is_head ? take_head(group, from) : add_chunk(group, from, known);
    if (!refusal.empty()) return refusal;
    is_complete = from.chunks.size() == from.to_come;
  }
  from.pushed += request.payload_bytes;
  return is_complete ? order_chunks(group, from) : std::string();
}

// The number of entries.
std::string aggregator::take_head(const aggregation_group& group, aggregation_child& from) {
  exchange_head head{};
  static_assert(sizeof head == sizeof from.record);
  std::memcpy(&head, from.record.data(), sizeof head);
  if (head.entries >= group.children.size())
    return fmt::format("rank {} has {} chunks for {} others", from.number, head.entries,
                       group.children.size() - 1);
  from.to_come = head.entries;  // entries, until all are here
  return {};
}

// Why these bytes of the buffer cannot go on, "" when they can. Each belongs to a chunk, and each
// chunk goes on where it has stopped.
std::string aggregator::refuse_chunks(const aggregation_group& group, const aggregation_child& from,
                                      std::uint64_t first, std::uint32_t bytes) {
  const std::uint64_t end = first + bytes;
  std::uint64_t known = first;  // the bytes before it are those of chunks
  for (auto each = chunk_at(from.chunks, first);
       each != from.chunks.end() && each->first <= known && known < end; ++each) {
    if (each->bytes == 0) continue;
    const std::uint64_t next = each->first + each->passed;
    if (next != known)
      return fmt::format("rank {} pushed bytes {}..{}, but its chunk at {} goes on with byte {}",
                         from.number, first, end - 1, each->first, next);
    known = each->first + each->bytes;
  }
  if (known >= end && end <= group.length) return {};
  return fmt::format("rank {} pushed bytes {}..{} that its table does not have", from.number, first,
                     end - 1);
}

std::string aggregator::add_chunk(aggregation_group& group, aggregation_child& from, fs_t known) {
  exchange_entry entry{};
  std::memcpy(&entry, from.record.data(), sizeof entry);
  const auto to = std::find_if(group.children.begin(), group.children.end(), [&](const auto& c) {
    return c.is_member && c.number == entry.rank;
  });
  if (to == group.children.end())
    return fmt::format("rank {} has a chunk for rank {}, which is no member", from.number,
                       entry.rank);
  const bool is_aligned = (entry.source | entry.bytes | entry.destination) % alignment == 0;
  if (!is_aligned || std::uint64_t{entry.source} + entry.bytes > group.length)
    return fmt::format("rank {} has a chunk of {} B at {}: not aligned, or not in its buffer",
                       from.number, entry.bytes, entry.source);
  exchanged_chunk chunk;
  chunk.first = entry.source;
  chunk.bytes = entry.bytes;
  chunk.destination = entry.destination;
  chunk.child = static_cast<std::uint32_t>(to - group.children.begin());
  chunk.known = known;
  from.chunks.push_back(chunk);
  return {};
}

// The table is complete. Empty chunks have arrived with it.
std::string aggregator::order_chunks(aggregation_group& group, aggregation_child& from) {
  std::sort(from.chunks.begin(), from.chunks.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.bytes < b.bytes;
  });
  std::uint64_t end = 0;
  for (const exchanged_chunk& each : from.chunks) {
    if (each.first < end)
      return fmt::format("rank {} has two chunks with byte {}", from.number, each.first);
    end = each.first + each.bytes;
  }
  from.has_table = true;
  from.to_come = 0;
  for (const exchanged_chunk& each : from.chunks) {
    from.to_come += each.bytes;
    if (each.bytes == 0) count_chunk(group, each, running_cause::copy());
  }
  end_if_done(group);
  return {};
}

// The bytes of a packet or a train, each chunk when it is there and its entry is read.
void aggregator::take_chunks(const outgoing& of) {
  aggregation_child& from = of.group->children[of.from];
  const packet& request = *of.held;
  const std::uint64_t first = of.offset - exchange_table::bytes, end = first + of.bytes;
  copied_packet& copied = copied_.take();
  copied = {of.held, of.port, 1, request.tail};
  for (auto each = chunk_at(from.chunks, first); each != from.chunks.end() && each->first < end;
       ++each) {
    outgoing part = of;
    const std::uint64_t begin = std::max(each->first, first);
    part.offset = begin;
    part.bytes = static_cast<std::uint32_t>(std::min(each->first + each->bytes, end) - begin);
    if (part.bytes == 0) continue;
    part.tail = arrival_of(request, begin - first + part.bytes) + forwarding_;
    if (part.payload) part.payload = of.payload.from(static_cast<std::uint32_t>(begin - first));
    part.chunk = static_cast<std::uint32_t>(each - from.chunks.begin());
    part.part_of = &copied;
    each->passed += part.bytes;
    ++copied.unsent;
    const fs_t head = arrival_of(request, begin - first) + forwarding_;
    outgoing_.push(std::max({head, each->known, now_fs()}), std::move(part));
  }
  copy_left(copied);
}

// The packet's receive buffer is free when the last of its chunks has left.
void aggregator::send_chunk(const outgoing& what) {
  aggregation_group& group = *what.group;
  if (what.generation != group.generation) return copy_left(*what.part_of);
  aggregation_child& from = group.children[what.from];
  const exchanged_chunk& chunk = from.chunks[what.chunk];
  aggregation_child& to = group.children[chunk.child];
  write(group.index,
        {to.address + group.result_offset + chunk.destination + (what.offset - chunk.first),
         to.endpoint, to.port, what.bytes, what.payload, what.tail},
        what.why, what.part_of);
  copy_left(*what.part_of);
  from.to_come -= what.bytes;
  if (what.offset + what.bytes == chunk.first + chunk.bytes) count_chunk(group, chunk, what.why);
  end_if_done(group);
}

void aggregator::count_chunk(aggregation_group& group, const exchanged_chunk& chunk,
                             const cause& why) {
  aggregation_child& to = group.children[chunk.child];
  ++counters_.chunks;
  ++to.flag;
  write_flag(group, to, 0, why);
}

}  // namespace heddle
