#include "models/gpu/hub/token_tracker.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

void entries_on_chip::clear(std::size_t entries) {
  order_.clear(entries);
  here_ = 0;
}

bool entries_on_chip::touch(std::uint32_t entry) {
  if (order_.holds(entry)) {
    order_.renew(entry);
    return true;
  }
  if (here_ == most_)
    order_.remove(order_.earliest());
  else
    ++here_;
  order_.insert(entry);
  return false;
}

void entries_on_chip::forget(std::uint32_t entry) {
  if (!order_.holds(entry)) return;
  order_.remove(entry);
  --here_;
}

void token_tracker::configure(const std::vector<std::uint32_t>& blocks, std::uint32_t tile,
                              std::uint64_t vector_bytes,
                              std::vector<std::uint16_t> experts_of_token) {
  tile_ = tile;
  first_row_.clear();
  of_row_.clear();
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    first_row_.push_back(rows());
    for (std::uint32_t first = 0; first < blocks[block]; first += tile) {
      const std::uint32_t tokens = std::min(tile, blocks[block] - first);
      of_row_.push_back({block, tokens * vector_bytes, std::vector<std::uint32_t>(tokens), false});
    }
  }
  left_ = std::move(experts_of_token);
  is_token_touched_.assign(left_.size(), 0);
  rows_on_chip_.clear(of_row_.size());
  tokens_on_chip_.clear(left_.size());
}

void token_tracker::enter(std::uint32_t block, std::uint32_t place, std::uint32_t token) {
  of_row_[row_of(block, place)].tokens[place % tile_] = token;
}

// An entry that nobody has touched is made on chip; one that has left it is fetched.
token_tracker::update token_tracker::arrived(std::uint32_t row, std::uint32_t bytes, fs_t when) {
  row_entry& entry = of_row_[row];
  update result{when, false};
  if (!rows_on_chip_.touch(row) && std::exchange(entry.is_touched, true)) {
    ++row_spills_;
    result.seen += timing_.memory_latency;
  }
  entry.missing -= std::min<std::uint64_t>(bytes, entry.missing);
  result.is_ready = entry.missing == 0;
  return result;
}

token_tracker::update token_tracker::expert_done(std::uint32_t token, fs_t when) {
  update result{when, false};
  if (!tokens_on_chip_.touch(token) && std::exchange(is_token_touched_[token], true)) {
    ++token_spills_;
    result.seen += timing_.memory_latency;
  }
  if (left_[token] > 0) --left_[token];
  result.is_ready = left_[token] == 0;
  if (result.is_ready) tokens_on_chip_.forget(token);
  return result;
}

}  // namespace heddle
