#include "platform/explain/cause.hpp"

#include <algorithm>

#include "platform/pool/object_pool.hpp"

namespace heddle {
namespace {

object_pool<step, 4096>& pool() {
  return shared_pool<step, 4096>();
}

step* make_step(category what, site_id where, fs_t when, step* before) {
  step* made = &pool().take();
  made->when = when;
  made->before = before;
  made->references = 1;
  made->where = where & ((1U << 24) - 1);
  made->what = what;
  return made;
}

// A step like the one before it makes that one longer; the start mark stands for itself.
bool extends(const step& latest, category what, site_id where) {
  return latest.before && latest.what == what && latest.where == where;
}

}  // namespace

cause cause::start(site_id where, fs_t when) {
  return cause(make_step(category::synchronization, where, when, nullptr));
}

void cause::mark(category what, site_id where, fs_t when) {
  if (!latest_) return;
  if (latest_->when > when) when = latest_->when;
  step* before = extends(*latest_, what, where) ? latest_->before : latest_;
  ++before->references;
  *this = cause(make_step(what, where, when, before));
}

void cause::add(category what, site_id where, fs_t when) {
  if (latest_->references == 1 && extends(*latest_, what, where))
    latest_->when = when;
  else
    mark(what, where, when);
}

void cause::then_in_turns(category first, fs_t between, category second, site_id where, fs_t when) {
  if (!latest_) return;
  const step* last_second = latest_;
  const bool is_repeated =
      extends(*last_second, second, where) && extends(*last_second->before, first, where);
  if (is_repeated) {
    const step& last_first = *last_second->before;
    const fs_t added = between > latest_->when ? between - latest_->when : 0;
    const fs_t end_of_first = last_first.when + added;
    ++last_first.before->references;
    cause turns(last_first.before);
    turns.then(first, where, end_of_first);
    *this = std::move(turns);
  } else {
    then(first, where, between);
  }
  then(second, where, when);
}

void cause::drop(step* unused) {
  while (unused && --unused->references == 0) {
    step* before = unused->before;
    pool().give_back(*unused);
    unused = before;
  }
}

void cause::cut(fs_t when) {
  if (!latest_ || latest_->when <= when) return;
  const step* ended = latest_;
  while (ended->before && ended->before->when >= when) ended = ended->before;
  if (!ended->before) return;  // not before the start
  ++ended->before->references;
  *this = cause(make_step(ended->what, ended->where, when, ended->before));
}

cause cause::back_to(category what, site_id where) const {
  for (step* each = latest_; each; each = each->before) {
    if (each->what != what || each->where != where) continue;
    ++each->references;
    return cause(each);
  }
  return {};
}

fs_t cause::spent(category what, fs_t since) const {
  fs_t sum = 0;
  for (const step* each = latest_; each && each->before && each->when > since; each = each->before)
    if (each->what == what) sum += each->when - std::max(each->before->when, since);
  return sum;
}

}  // namespace heddle
