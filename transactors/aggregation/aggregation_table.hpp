// What a device in the network remembers of contributions that belong together until all of them
// have come: the operands of a reduction, the answers to a multicast, the acknowledgments of
// targets. An entry is open from then on until its owner closes it; `About` is what the owner keeps
// with it.
//
// A group is who contributes, and what limits its entries:
//   children   bit set of those that owe one contribution to each entry
//   capacity   of its buffer, in units of the owner's choice (packets, bytes); entries reserve some
//   window     entries for consecutive segments of a stream, found by segment number: those from
//              the first unfinished segment on; 0: entries are found by pool index alone, as a tag
//              holds
//   patience   time after which the watchdog reports an entry that is still open; 0: never
//
// Used for the members of a multicast region, for reduction trees (children push segments, a window
// bounds them), and for multicasts to lists of targets, which count targets and evict what waits
// too long.
//
// Limitations: up to 1024 children; a group's window and the order in which entries are opened do
// not depend on each other, so entries of a window may be opened in any order.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/pool/object_pool.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/arbitration/port_set.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

struct aggregation_limits {
  port_set children;
  std::uint64_t capacity = UINT64_MAX;
  std::uint32_t window = 0;
  fs_t patience = 0;
};

enum class contribution { counted, twice, not_a_child };

template <class About>
class aggregation_table {
  using hook = boost::intrusive::list_member_hook<>;

 public:
  struct entry : About {
    std::uint32_t pool_index = 0;  // by which at() finds it
    int group = 0;
    std::uint64_t segment = 0;   // in the window of its group
    std::uint64_t reserved = 0;  // of the buffer of its group
    std::uint32_t owed = 0;      // contributions that have not come
    port_set missing;            // children that owe one
    fs_t opened = 0;
    std::vector<payload_slice> operands;  // by child
    hook by_age, in_buffer;
    bool is_open = false;
  };

  class watcher {
   public:
    // The entry has been open for the patience of its group. It stays open.
    virtual void expired(entry& late) = 0;

   protected:
    ~watcher() = default;
  };

  explicit aggregation_table(watcher* told = nullptr) : told_(told) {}

  int add_group(aggregation_limits limits) {
    groups_.push_back(std::make_unique<group>(*this, std::move(limits)));
    return static_cast<int>(groups_.size()) - 1;
  }

  // The group begins anew, without open entries: with segment 0, and with these limits.
  void restart(int of, aggregation_limits limits) { groups_[of]->begin(std::move(limits)); }

  // Buffer -----------------------------------------------------------------------------------
  std::uint64_t used(int of) const { return groups_[of]->used; }
  bool fits(int of, std::uint64_t amount) const {
    return amount <= groups_[of]->limits.capacity - groups_[of]->used;
  }
  // Takes buffer for what belongs to no entry, so that no eviction gives it back.
  void reserve(int of, std::uint64_t amount) { groups_[of]->used += amount; }
  // Gives back what an entry has reserved that is closed by now, or is about to be.
  void free_buffer(int of, std::uint64_t amount) { groups_[of]->used -= amount; }

  // Entries ----------------------------------------------------------------------------------
  // The buffer has room for `amount`.
  entry& open(int in, std::uint64_t amount = 0) {
    group& g = *groups_[in];
    entry& fresh = entries_.take();
    fresh.group = in;
    fresh.is_open = true;
    fresh.missing = g.limits.children;
    fresh.owed = g.children;
    fresh.opened = now_fs();
    fresh.reserved = amount;
    g.used += amount;
    if (amount > 0) g.buffered.push_back(fresh);
    if (g.limits.patience > 0) watch(g, fresh);
    if (g.most_operands > fresh.operands.size()) fresh.operands.resize(g.most_operands);
    return fresh;
  }
  // Opens an entry for a segment of the window that has none yet and is not finished.
  entry& open_segment(int in, std::uint64_t segment, std::uint64_t amount = 0) {
    group& g = *groups_[in];
    assert(g.is_in_window(segment) && !g.at(segment).opened);
    entry& fresh = open(in, amount);
    fresh.segment = segment;
    g.at(segment) = {&fresh, false};
    return fresh;
  }
  bool is_in_window(int of, std::uint64_t segment) const {
    return groups_[of]->is_in_window(segment);
  }
  // nullptr where the segment has no open entry: none yet, or none any more.
  entry* find_segment(int of, std::uint64_t segment) const {
    return groups_[of]->is_in_window(segment) ? groups_[of]->at(segment).opened : nullptr;
  }
  bool is_finished(int of, std::uint64_t segment) const {
    const group& g = *groups_[of];
    return segment < g.first || (g.is_in_window(segment) && g.at(segment).is_finished);
  }
  std::uint64_t first_unfinished(int of) const { return groups_[of]->first; }

  entry& at(std::uint32_t pool_index) const { return entries_.at(pool_index); }
  // Calls use(entry) for each that is open, by pool index.
  template <class Use>
  void for_each_open(Use use) const {
    for (std::uint32_t pool_index = 0; pool_index < entries_.size(); ++pool_index)
      if (entries_.at(pool_index).is_open) use(entries_.at(pool_index));
  }

  contribution contribute(entry& to, int child) {
    if (!to.missing.has(child))
      return groups_[to.group]->limits.children.has(child) ? contribution::twice
                                                           : contribution::not_a_child;
    to.missing.erase(child);
    --to.owed;
    return contribution::counted;
  }
  // For groups whose contributions are counted, where one packet may stand for several of them.
  void owe(entry& of, std::uint32_t contributions) { of.owed = contributions; }
  void cover(entry& of, std::uint32_t contributions) { of.owed -= contributions; }
  static bool is_complete(const entry& e) { return e.owed == 0; }

  // Ends the entry, complete or not. What it reserved stays reserved until free_buffer().
  void close(entry& done) {
    group& g = *groups_[done.group];
    leave_buffer(g, done);
    if (done.by_age.is_linked()) g.watched.erase(g.watched.iterator_to(done));
    if (g.limits.window > 0) g.finish(done.segment);
    static_cast<About&>(done) = About{};
    for (payload_slice& each : done.operands) each.reset();
    done.is_open = false;
    entries_.give_back(done);
  }

  // Eviction: the entry that has held buffer for longest, nullptr when none does.
  entry* oldest_in_buffer(int of) const {
    const group& g = *groups_[of];
    return g.buffered.empty() ? nullptr : const_cast<entry*>(&g.buffered.front());
  }
  // The entry gives up its part of the buffer. It stays open for what it is still owed.
  void evict(entry& victim) {
    group& g = *groups_[victim.group];
    leave_buffer(g, victim);
    g.used -= victim.reserved;
    victim.reserved = 0;
    for (payload_slice& each : victim.operands) each.reset();
  }

 private:
  using age_list =
      boost::intrusive::list<entry, boost::intrusive::member_hook<entry, hook, &entry::by_age>>;
  using buffer_list =
      boost::intrusive::list<entry, boost::intrusive::member_hook<entry, hook, &entry::in_buffer>>;

  struct window_cell {
    entry* opened = nullptr;
    bool is_finished = false;
  };
  struct group {
    group(aggregation_table& owner, aggregation_limits&& l)
        : table(owner), watchdog(timed_call::to<group, &group::bark>(*this)) {
      begin(std::move(l));
    }

    void begin(aggregation_limits&& l) {
      assert(watched.empty() && buffered.empty() && used == 0);
      limits = std::move(l);
      children = static_cast<std::uint32_t>(limits.children.size());
      most_operands = 0;
      limits.children.for_each([this](int child) { most_operands = child + 1U; });
      cells.assign(limits.window, {});
      first = 0;
    }

    bool is_in_window(std::uint64_t segment) const {
      return segment >= first && segment - first < limits.window;
    }
    window_cell& at(std::uint64_t segment) { return cells[segment % limits.window]; }
    const window_cell& at(std::uint64_t segment) const { return cells[segment % limits.window]; }
    void finish(std::uint64_t segment) {
      at(segment) = {nullptr, true};
      for (; at(first).is_finished; ++first) at(first) = {};
    }
    void bark() {
      while (!watched.empty() && watched.front().opened + limits.patience <= now_fs()) {
        entry& late = watched.front();
        watched.pop_front();
        table.told_->expired(late);
      }
      if (!watched.empty()) watchdog.at(watched.front().opened + limits.patience);
    }

    aggregation_table& table;
    aggregation_limits limits;
    std::uint32_t children = 0;
    std::size_t most_operands = 0;
    std::uint64_t used = 0;
    std::uint64_t first = 0;  // segment that is not finished
    std::vector<window_cell> cells;
    age_list watched;  // not reported yet
    buffer_list buffered;
    timed_call watchdog;
  };

  static void watch(group& g, entry& fresh) {
    g.watched.push_back(fresh);
    g.watchdog.at(g.watched.front().opened + g.limits.patience);
  }
  static void leave_buffer(group& g, entry& of) {
    if (of.in_buffer.is_linked()) g.buffered.erase(g.buffered.iterator_to(of));
  }

  watcher* told_;
  object_pool<entry> entries_;
  std::vector<std::unique_ptr<group>> groups_;
};

}  // namespace heddle
