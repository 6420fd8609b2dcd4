#include "models/gpu/hub/token_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/layer_parts.hpp"
#include "models/gpu/hub/layer_run.hpp"
#include "platform/tensor/convert.hpp"

namespace heddle {

token_results::token_results(hub_core& core, const token_lists& lists, firmware_groups& groups,
                             layer_parts& parts, layer_run& run)
    : hub_part(core),
      lists_(lists),
      groups_(groups),
      parts_(parts),
      run_(run),
      summed_(timed_queue<result_part>::to<token_results, &token_results::write_summed>(*this)),
      written_(timed_queue<result_part>::to<token_results, &token_results::take_written>(*this)) {}

void token_results::configure() {
  own_.assign(layer_.tokens, {});
  for (std::uint32_t own = 0; own < layer_.tokens; ++own)
    own_[own].result = layer_.results + own * layer_.bsize(token_stage::combine);
  own_sums_.clear();
  partial_.clear();
  tokens_done_ = tokens_parted_ = 0;
}

void token_results::arrives_in_parts(std::uint32_t token) {
  own_token& own = own_[token - layer_.first_token()];
  if (own.is_parted) return;
  own.is_parted = true;
  ++tokens_parted_;
  ++counters_.parted;
}

void token_results::keep_own_sum(std::uint32_t own, std::vector<float> sum, fs_t ready) {
  own_[own].own_ready = ready;
  if (!sum.empty()) own_sums_[own] = std::move(sum);
}

void token_results::fetched(std::uint32_t token, std::uint32_t offset, std::uint32_t bytes,
                            std::vector<float>& sum) {
  const std::uint32_t own = token - layer_.first_token();
  const auto known = own_sums_.find(own);
  if (settings_.carries_data) sum.resize(bytes / size_of(dtype::bf16));
  if (known != own_sums_.end()) {
    const float* more = known->second.data() + offset / size_of(dtype::bf16);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  }
  write(own, offset, sum, bytes, std::max(now_fs(), own_[own].own_ready));
}

void token_results::take_part(std::uint32_t own, std::uint32_t gpu, std::uint32_t offset,
                              payload_slice data, std::uint32_t bytes) {
  own_token& token = own_[own];
  const std::uint64_t vector_bytes = layer_.bsize(token_stage::combine);
  if (!token.has_parts) token.parts_missing = vector_bytes * lists_.gpus_of(lists_.of(own));
  token.has_parts = true;
  if (bytes > token.parts_missing)
    return status_.fail(
        error::REMOTE, layer_.first_token() + own, 0,
        fmt::format("rank {} sends {} B of the sum of token {}, which waits for {} B", gpu, bytes,
                    layer_.first_token() + own, token.parts_missing));
  if (data) partial_[own].push_back({gpu, offset, std::move(data), bytes});
  token.parts_missing -= bytes;
  if (token.parts_missing > 0) return;
  token.missing = vector_bytes;
  const std::vector<float> sum = settings_.carries_data ? sum_of_parts(own) : std::vector<float>{};
  write_whole(own, sum, std::max(now_fs(), token.own_ready));
}

std::vector<float> token_results::sum_of_parts(std::uint32_t own) {
  std::vector<float> sum(layer_.hidden, 0.0F);
  std::vector<partial_sum>& parts = partial_[own];
  std::sort(parts.begin(), parts.end(), [](const partial_sum& a, const partial_sum& b) {
    return a.gpu != b.gpu ? a.gpu < b.gpu : a.offset < b.offset;
  });
  for (const partial_sum& each : parts) {
    std::vector<float> values(each.bytes / size_of(dtype::bf16));
    widen(dtype::bf16, each.data.data(), values.data(), values.size());
    float* to = sum.data() + each.offset / size_of(dtype::bf16);
    for (std::size_t i = 0; i < values.size(); ++i) to[i] += values[i];
  }
  partial_.erase(own);
  const auto known = own_sums_.find(own);
  if (known != own_sums_.end())
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += known->second[i];
  return sum;
}

void token_results::write_whole(std::uint32_t own, const std::vector<float>& sum, fs_t start) {
  write(own, 0, sum, static_cast<std::uint32_t>(layer_.bsize(token_stage::combine)), start);
}

void token_results::write(std::uint32_t own, std::uint32_t offset, const std::vector<float>& sum,
                          std::uint32_t bytes, fs_t start) {
  // Vectors of own experts are read from memory until then.
  result_part part{own, bytes, own_[own].result + offset, {}, running_cause::copy()};
  part.why.then(category::memory, site_, start);
  if (settings_.carries_data) {
    part.data = payload_slice::allocate(bytes);
    narrow(dtype::bf16, sum.data(), part.data.data(), bytes / size_of(dtype::bf16));
  }
  summed_.push(start, std::move(part));
}

// A memory serves accesses in the order of their calls: a write that is issued before its time
// would delay the others behind it.
void token_results::write_summed() {
  for (result_part due; summed_.pop_due(now_fs(), due);) {
    const running_cause writing(due.why);
    const fs_t done =
        memory_.access(tlm::TLM_WRITE_COMMAND, due.address, due.data, due.bytes, now_fs());
    due.data.reset();
    if (done == fs_never) continue;
    due.why.then(category::memory, site_, done);
    written_.push(done, std::move(due));
  }
}

void token_results::take_written() {
  cause latest;
  for (result_part due; written_.pop_due(now_fs(), due);) {
    latest = due.why;
    const running_cause written(due.why);
    own_token& token = own_[due.token];
    token.missing -= due.bytes;
    if (token.missing > 0) continue;
    ++tokens_done_;
    groups_.command_completed();
    span(token_step::combine).cover(now_fs());
    own_sums_.erase(due.token);
    parts_.token_done(due.token);
  }
  const running_cause done(latest);
  run_.finish_if_done();
}

}  // namespace heddle
