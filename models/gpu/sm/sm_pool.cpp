#include "models/gpu/sm/sm_pool.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle {

sm_pool::sm_pool(listener& told, const sm_rates& rates)
    : listener_(told),
      rates_(rates),
      finished_(timed_queue<finished>::to<sm_pool, &sm_pool::finish>(*this)) {}

int sm_pool::add_group(std::uint32_t sms, std::vector<int> helps) {
  work_group added;
  added.idle = sms;
  added.helps = std::move(helps);
  groups_.push_back(std::move(added));
  return static_cast<int>(groups_.size()) - 1;
}

void sm_pool::clear() {
  groups_.clear();
  l2_.clear();
  l2_used_ = 0;
}

fs_t sm_pool::block_time(const sm_batch& batch) const {
  if (batch.block_time > 0) return batch.block_time;
  return static_cast<fs_t>(
      std::llround(batch.block_flops / rates_.flops_of_sm * static_cast<double>(fs_per_s)));
}

std::uint32_t sm_pool::take_batch() {
  if (free_batches_.empty()) {
    batches_.emplace_back();
    return static_cast<std::uint32_t>(batches_.size()) - 1;
  }
  const std::uint32_t taken = free_batches_.back();
  free_batches_.pop_back();
  return taken;
}

void sm_pool::submit(int group, const sm_batch& batch) {
  const std::uint32_t number = take_batch();
  batches_[number] = {batch, group, batch.blocks, 0, 0, false};
  groups_[static_cast<std::size_t>(group)].queue.push_back(number);
  start_all();
}

void sm_pool::start_all() {
  for (int sms_of = 0; sms_of < static_cast<int>(groups_.size()); ++sms_of) {
    while (start_some(sms_of, sms_of)) continue;
    for (const int other : groups_[static_cast<std::size_t>(sms_of)].helps)
      while (start_some(sms_of, other)) continue;
  }
}

bool sm_pool::is_in_l2(std::uint64_t operands) const {
  return std::any_of(l2_.begin(), l2_.end(),
                     [=](const resident& each) { return each.operands == operands; });
}

// Index in the queue: the first batch that has begun or whose operands are there, else the first.
std::size_t sm_pool::choose(const work_group& from) const {
  constexpr std::size_t seen = 64;  // a scheduler looks at so many
  const std::size_t end = std::min(seen, from.queue.size());
  for (std::size_t i = 0; i < end; ++i) {
    const open_batch& batch = batches_[from.queue[i]];
    if (batch.has_begun || is_in_l2(batch.what.operands)) return i;
  }
  return 0;
}

// SMs of one group take blocks of one batch.
bool sm_pool::start_some(int sms_of, int from) {
  work_group& own = groups_[static_cast<std::size_t>(sms_of)];
  work_group& source = groups_[static_cast<std::size_t>(from)];
  if (own.idle == 0 || source.queue.empty()) return false;
  const std::size_t index = choose(source);
  const std::uint32_t number = source.queue[index];
  if (!batches_[number].has_begun) begin(batches_[number]);
  open_batch& batch = batches_[number];
  const std::uint32_t blocks = std::min(own.idle, batch.waiting);
  const fs_t now = now_fs();
  const fs_t end = std::max(now + block_time(batch.what), batch.operands_at);
  own.idle -= blocks;
  batch.waiting -= blocks;
  batch.running += blocks;
  busy_ += blocks * (end - now);
  if (batch.waiting == 0) source.queue.erase(source.queue.begin() + std::ptrdiff_t(index));
  finished_.push(end, {number, blocks, sms_of});
  return true;
}

void sm_pool::begin(open_batch& batch) {
  batch.has_begun = true;
  const sm_batch what = batch.what;
  const fs_t now = now_fs();
  const auto known = std::find_if(
      l2_.begin(), l2_.end(), [&](const resident& each) { return each.operands == what.operands; });
  if (known != l2_.end()) {
    l2_.splice(l2_.begin(), l2_, known);
  } else if (what.operand_bytes > 0) {
    ++misses_;
    hbm_free_at_ =
        std::max(now + rates_.hbm_latency, hbm_free_at_) + rates_.hbm.duration(what.operand_bytes);
    l2_.push_front({what.operands, what.operand_bytes, hbm_free_at_});
    l2_used_ += what.operand_bytes;
    while (l2_used_ > rates_.l2_bytes && l2_.size() > 1) {
      l2_used_ -= l2_.back().bytes;
      l2_.pop_back();
    }
  }
  batch.operands_at = what.operand_bytes > 0 ? l2_.front().there_at : 0;
  listener_.batch_begins(batch.group, what, batch.operands_at);
}

void sm_pool::finish() {
  for (finished due; finished_.pop_due(now_fs(), due);) {
    groups_[static_cast<std::size_t>(due.sms_of)].idle += due.blocks;
    open_batch& batch = batches_[due.batch];
    batch.running -= due.blocks;
    if (batch.running > 0 || batch.waiting > 0) continue;
    const open_batch done = batch;
    free_batches_.push_back(due.batch);
    listener_.batch_done(done.group, done.what);
  }
  start_all();
}

}  // namespace heddle
