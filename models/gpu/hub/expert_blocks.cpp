#include "models/gpu/hub/expert_blocks.hpp"

#include <algorithm>

#include "models/gpu/hub/expert_math.hpp"
#include "platform/tensor/dtype.hpp"

namespace heddle {

// The tracker has its rows already.
void expert_blocks::configure() {
  layout_.configure(layer_.all_tokens(), layer_.block_tokens);
  rows_in_memory_.clear(tracker_.rows());
}

translation expert_blocks::translate(std::uint32_t block, const vector_range& what, bool allocates,
                                     fs_t now) {
  const translation found = layout_.translate(block, what.token, allocates, what.packets, now);
  counters_.tlb_packets += what.packets;
  counters_.tlb_packet_hits += found.hits;
  ++counters_.tlb_vectors;
  if (found.hits == what.packets) ++counters_.tlb_vector_hits;
  return found;
}

placed_vector expert_blocks::store(std::uint16_t expert, const vector_range& what,
                                   const payload_slice& data, fs_t now) {
  const std::uint32_t block = layer_.block_of(expert, what.token);
  const translation at = translate(block, what, true, now);
  placed_vector result{at.ready, 0, error::NONE};
  if (at.error != layout_error::none) {
    result.wrong = at.error == layout_error::overflow ? error::OVERFLOW : error::EXPERT;
    status_.fail(result.wrong, what.token, expert);
    return result;
  }
  if (at.is_new) tracker_.enter(block, at.place, what.token);
  const std::uint64_t to = layer_.vector_at(token_stage::dispatch, block, at.place) + what.offset;
  const fs_t done = memory_.access(tlm::TLM_WRITE_COMMAND, to, data, what.bytes, at.ready);
  if (done == fs_never) {
    result.wrong = error::BUS;
    return result;
  }
  result.done = done;
  result.row = tracker_.row_of(block, at.place);
  rows_in_memory_.write(result.row, what.bytes, result.done);
  return result;
}

fs_t expert_blocks::add(const target_list::experts_type& experts, const vector_range& what,
                        std::vector<float>& sum, fs_t now) {
  fs_t done = now;
  const bool carries_data = settings_.carries_data;
  if (carries_data) sum.assign(what.bytes / size_of(dtype::bf16), 0.0F);
  for (const std::uint16_t expert : experts) {
    const std::uint32_t block = layer_.block_of(expert, what.token);
    const translation at = translate(block, what, false, now);
    if (at.error != layout_error::none) {
      status_.fail(error::UNMAPPED, what.token, expert);
      return fs_never;
    }
    payload_slice data;
    if (carries_data) data = payload_slice::allocate(what.bytes);
    const std::uint64_t from =
        layer_.vector_at(token_stage::combine, block, at.place) + what.offset;
    const fs_t read = memory_.access(tlm::TLM_READ_COMMAND, from, data, what.bytes, at.ready);
    if (read == fs_never) return fs_never;
    done = std::max(done, read);
    if (carries_data) add_vector(data.data(), sum);
  }
  return done;
}

std::uint32_t expert_blocks::row_of(std::uint16_t expert, std::uint32_t token) const {
  const std::uint32_t block = layer_.block_of(expert, token);
  return tracker_.row_of(block, layout_.look_up(block, token).place);
}

bool expert_blocks::has_place(std::uint32_t expert, std::uint32_t token) const {
  return layout_.look_up(layer_.block_of(expert, token), token).error == layout_error::none;
}

bool expert_blocks::has_all_of(std::uint32_t row, fs_t now) const {
  const std::uint64_t bytes = tracker_.tokens_of(row).size() * layer_.bsize(token_stage::dispatch);
  return rows_in_memory_.holds(row, bytes, now);
}

}  // namespace heddle
