#include "platform/explain/cause.hpp"

#include <algorithm>

#include "platform/pool/object_pool.hpp"

namespace heddle {
namespace {

// Made before main(), like all of a file: no chain starts earlier.
object_pool<step_block, 1024>& pool = shared_pool<step_block, 1024>();

// A step like the one before it makes that one longer; the start mark stands for itself.
bool extends(step latest, std::uint32_t site) {
  return latest.block().site[latest.index()] == site && latest.before();
}

// The first step of a block of its own. Whoever counted `before` leaves that to the block.
step in_new_block(std::uint32_t site, fs_t when, step before) {
  step_block& made = pool.take();
  made.before = before;
  made.references = 1;
  made.steps = 1;
  made.when[0] = when;
  made.site[0] = site;
  return step(made, 0);
}

}  // namespace

cause cause::start(site_id where, fs_t when) {
  cause made;
  made.latest_ = in_new_block(step_block::site_of(category::synchronization, where), when, {});
  return made;
}

// In the block of the latest step as long as no other chain goes on there.
inline void cause::append(std::uint32_t site, fs_t when) {
  step_block& block = latest_.block();
  const std::uint32_t next = latest_.index() + 1;
  const bool is_free = next == block.steps || block.references == 1;
  if (next == step_block::most_steps || !is_free) return append_in_new_block(site, when);
  block.steps = next + 1;
  block.when[next] = when;
  block.site[next] = site;
  latest_ = step(block, next);
}

[[gnu::noinline]] void cause::append_in_new_block(std::uint32_t site, fs_t when) {
  latest_ = in_new_block(site, when, latest_);
}

void cause::go_back_to(step earlier) {
  const step dropped = latest_;
  latest_ = earlier;
  if (&earlier.block() == &dropped.block()) return;
  ++earlier.block().references;
  drop(dropped);
}

void cause::add(std::uint32_t site, fs_t when) {
  if (extends(latest_, site))
    lengthen(site, when);
  else
    append(site, when);
}

// The latest step, where it is like that.
[[gnu::noinline]] void cause::lengthen(std::uint32_t site, fs_t when) {
  step_block& block = latest_.block();
  if (block.references > 1) {  // others keep the shorter one
    go_back_to(latest_.before());
    return append(site, when);
  }
  block.steps = latest_.index() + 1;
  block.when[latest_.index()] = when;
}

void cause::mark(category what, site_id where, fs_t when) {
  if (latest_) add(step_block::site_of(what, where), std::max(when, latest_.when()));
}

void cause::then_in_turns(category first, fs_t between, category second, site_id where, fs_t when) {
  if (!latest_) return;
  const step last_second = latest_;
  const bool is_repeated = extends(last_second, step_block::site_of(second, where)) &&
                           extends(last_second.before(), step_block::site_of(first, where));
  if (is_repeated) {
    const step last_first = last_second.before();
    const fs_t added = between > last_second.when() ? between - last_second.when() : 0;
    const fs_t end_of_first = last_first.when() + added;
    go_back_to(last_first.before());
    then(first, where, end_of_first);
  } else {
    then(first, where, between);
  }
  then(second, where, when);
}

void cause::give_back(step unused) {
  do {
    step_block& block = unused.block();
    unused = block.before;
    pool.give_back(block);
  } while (unused && --unused.block().references == 0);
}

void cause::cut(fs_t when) {
  if (!latest_ || latest_.when() <= when) return;
  step ended = latest_;
  while (ended.before() && ended.before().when() >= when) ended = ended.before();
  if (!ended.before()) return;  // not before the start
  const std::uint32_t site = ended.block().site[ended.index()];
  go_back_to(ended.before());
  append(site, when);
}

cause cause::back_to(category what, site_id where) const {
  step found = latest_;
  while (found && (found.what() != what || found.where() != where)) found = found.before();
  cause earlier;
  earlier.latest_ = found;
  if (found) ++found.block().references;
  return earlier;
}

fs_t cause::spent(category what, fs_t since) const {
  fs_t sum = 0;
  for (step each = latest_; each && each.before() && each.when() > since; each = each.before())
    if (each.what() == what) sum += each.when() - std::max(each.before().when(), since);
  return sum;
}

}  // namespace heddle
