// Several managers that set groups up, use them and give them back, at random and all at once, in
// the same switches. Each learns what is there, and its ranks get its sums, bit for bit.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include "platform/contracts/register_audit.hpp"
#include "tests/unit/models/aggregator/random_tree.hpp"

using namespace heddle;

namespace {

using mode = aggregator_regs::group_operation_mode;

// A manager with its ranks. Between two accesses any time may pass, and others make theirs.
class tenant {
 public:
  tenant(aggregator_bench& bench, std::size_t number, std::vector<int> ranks, std::size_t seed)
      : bench_(bench),
        number_(number),
        ranks_(std::move(ranks)),
        random_(seed),
        groups_(bench.switches.size()) {
    order_from(0);
  }

  // In a thread.
  void live(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      look_around(pick(0, static_cast<int>(bench_.switches.size()) - 1));
      set_up();
      use();
      send_words();
      tear_down();
    }
  }
  const std::string& flaw() const { return flaw_; }  // the first; "": there was none

 private:
  int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  void expect(bool is_right, const std::string& what) {
    if (!is_right && flaw_.empty()) flaw_ = "tenant " + std::to_string(number_) + ": " + what;
  }
  void pause() { sc_core::wait(to_sc_time(static_cast<fs_t>(pick(0, 300)) * fs_per_ns)); }
  void write32(int s, std::uint64_t offset, std::uint32_t value) {
    pause();
    bench_.write32(s, offset, value);
  }
  void write64(int s, std::uint64_t offset, std::uint64_t value) {
    pause();
    bench_.write64(s, offset, value);
  }
  std::uint64_t read64(int s, std::uint64_t offset) {
    pause();
    return bench_.read64(s, offset);
  }
  std::uint32_t read32(int s, std::uint64_t offset) {
    pause();
    return bench_.read32(s, offset);
  }

  bool is_mine(int rank) const {
    return std::find(ranks_.begin(), ranks_.end(), rank) != ranks_.end();
  }
  // Its ranks in the order of the tree: those below a switch follow each other.
  void order_from(int s) {
    for (const int rank : bench_.at_switch(s).ranks)
      if (is_mine(rank)) ordered_.push_back(rank);
    for (const int below : bench_.at_switch(s).below) order_from(below);
  }
  std::vector<int> mine_below(int s) const {
    std::vector<int> found;
    for (const int rank : bench_.at_switch(s).ranks)
      if (is_mine(rank)) found.push_back(rank);
    for (const int below : bench_.at_switch(s).below) {
      const std::vector<int> deeper = mine_below(below);
      found.insert(found.end(), deeper.begin(), deeper.end());
    }
    return found;
  }
  std::uint64_t place_of(int rank) const {
    return static_cast<std::uint64_t>(std::find(ordered_.begin(), ordered_.end(), rank) -
                                      ordered_.begin());
  }

  void look_around(int s) {
    using kind = aggregator_regs::manager_port_kind_kind;
    const auto check = [&](std::size_t port, kind is, std::uint64_t peer) {
      write32(s, aggregator_regs::manager_port_select_offset(number_),
              static_cast<std::uint32_t>(port));
      expect(read32(s, aggregator_regs::manager_port_kind_offset(number_)) ==
                 static_cast<std::uint32_t>(is),
             "what is at a port");
      expect(read64(s, aggregator_regs::manager_port_peer_offset(number_)) == peer,
             "who is at a port");
    };
    std::size_t port = 0;
    for (const int rank : bench_.at_switch(s).ranks)
      check(port++, kind::MEMORY, aggregator_bench::base_of(rank));
    for (const int below : bench_.at_switch(s).below)
      check(port++, kind::AGGREGATOR, aggregator_bench::window_of(below, 0));
    if (const int above = bench_.options.parent_of[aggregator_bench::index(s)]; above >= 0)
      check(port, kind::AGGREGATOR, aggregator_bench::window_of(above, 0));
  }

  int group_at(int s) const { return groups_[aggregator_bench::index(s)]; }

  void set_up() {
    stream_.type = dtype::int32;
    stream_.mode = pick(0, 1) == 0 ? mode::MULTICAST : mode::SCATTER;
    stream_.segment = static_cast<std::uint32_t>(128 * pick(1, 4));
    stream_.window = static_cast<std::uint32_t>(pick(1, 3));
    part_ = std::uint64_t{128} * static_cast<unsigned>(pick(1, 6));
    stream_.length = part_ * ranks_.size();
    for (int s = 0; s < static_cast<int>(groups_.size()); ++s)
      if (!mine_below(s).empty())
        groups_[aggregator_bench::index(s)] =
            static_cast<int>(read32(s, aggregator_regs::allocate_offset));
    for (int s = 0; s < static_cast<int>(groups_.size()); ++s)
      if (!mine_below(s).empty()) add_children(s);
  }
  void add_children(int s) {
    std::uint32_t child = 0;
    for (const int rank : bench_.at_switch(s).ranks)
      if (is_mine(rank)) add(s, child++, aggregator_bench::base_of(rank), {rank}, true);
    for (const int below : bench_.at_switch(s).below) {
      const std::vector<int> ranks = mine_below(below);
      if (ranks.empty()) continue;
      add(s, child++, aggregator_bench::window_of(below, group_at(below)), ranks, false);
    }
  }
  void add(int s, std::uint32_t child, std::uint64_t address, const std::vector<int>& ranks,
           bool is_member) {
    using namespace aggregator_regs;
    const auto group = static_cast<std::uint32_t>(group_at(s));
    write64(s, manager_child_address_offset(number_), address);
    write32(s, manager_child_offset(number_),
            static_cast<std::uint32_t>(ranks.front()) | (is_member ? 0U : 1U << 16));
    write32(s, manager_child_add_offset(number_), group);
    write32(s, manager_child_index_offset(number_), child);
    write64(s, manager_child_first_offset(number_), place_of(ranks.front()) * part_);
    write64(s, manager_child_bytes_offset(number_), ranks.size() * part_);
    write32(s, manager_child_set_offset(number_), group);
  }
  void arm(int s) {
    using namespace aggregator_regs;
    const auto g = static_cast<std::size_t>(group_at(s));
    const int above = bench_.options.parent_of[aggregator_bench::index(s)];
    write32(s, group_operation_offset(g),
            static_cast<std::uint32_t>(stream_.type) | static_cast<std::uint32_t>(stream_.mode)
                                                           << 8);
    write32(s, group_segment_offset(g), stream_.segment);
    write64(s, group_length_offset(g), stream_.length);
    write64(s, group_parent_offset(g),
            above < 0 ? 0 : aggregator_bench::window_of(above, group_at(above)));
    write64(s, group_result_offset_offset(g), aggregator_bench::result_at);
    write64(s, group_flag_offset_offset(g), aggregator_bench::flag_at);
    write32(s, group_window_offset(g), stream_.window);
    write32(s, group_arm_offset(g), 1);
  }

  // Flags count anew, because the children are new to their group.
  void use() {
    const std::vector<int> nothing(stream_.length / 4 + 2, 0);
    std::vector<std::vector<int>> data;
    for (const int rank : ordered_) {
      bench_.fill(rank, aggregator_bench::flag_at, nothing.data(), 8);
      bench_.fill(rank, aggregator_bench::result_at, nothing.data(), stream_.length);
      data.emplace_back(stream_.length / 4);
      for (int& each : data.back()) each = pick(-1'000'000, 1'000'000);
    }
    for (int s = 0; s < static_cast<int>(groups_.size()); ++s)  // those above come first
      if (!mine_below(s).empty()) arm(s);
    for (std::size_t i = 0; i < ordered_.size(); ++i)
      sc_core::sc_spawn([this, i, mine = data[i]] { push(ordered_[i], mine); });
    const auto segments =
        static_cast<std::uint32_t>((stream_.length + stream_.segment - 1) / stream_.segment);
    for (const int rank : ordered_) {
      while (bench_.flag(rank) < segments) sc_core::wait(to_sc_time(100 * fs_per_ns));
      expect(bench_.flag(rank) == segments, "flag of rank " + std::to_string(rank));
    }
    for (const int rank : ordered_) check_results(rank, data);
  }
  void push(int rank, const std::vector<int>& mine) {
    const int leaf = bench_.options.leaf_of[aggregator_bench::index(rank)];
    const std::uint64_t window = aggregator_bench::window_of(leaf, group_at(leaf));
    const auto* bytes = reinterpret_cast<const std::byte*>(mine.data());
    std::uint32_t segment = 0;
    for (std::uint64_t at = 0; at < stream_.length; at += stream_.segment, ++segment) {
      while (bench_.flag(rank) + stream_.window <= segment)
        sc_core::wait(to_sc_time(50 * fs_per_ns));
      bench_.core(rank).write(window + at, bytes + at,
                              static_cast<std::uint32_t>(
                                  std::min<std::uint64_t>(stream_.segment, stream_.length - at)));
    }
  }
  void check_results(int rank, const std::vector<std::vector<int>>& data) {
    std::vector<int> sum(stream_.length / 4, 0);
    const std::uint64_t first = place_of(rank) * part_ / 4, end = first + part_ / 4;
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (stream_.mode == mode::MULTICAST || (i >= first && i < end))
        for (const std::vector<int>& each : data) sum[i] += each[i];
    const std::vector<std::byte> got =
        bench_.bytes_of(rank, aggregator_bench::result_at, stream_.length);
    expect(std::memcmp(got.data(), sum.data(), got.size()) == 0,
           "results of rank " + std::to_string(rank));
  }

  void send_words() {
    using namespace aggregator_regs;
    constexpr std::uint64_t at = 0x200;
    for (const int rank : ordered_) {
      const int leaf = bench_.options.leaf_of[aggregator_bench::index(rank)];
      const auto value = static_cast<std::uint64_t>(pick(1, 1 << 30));
      write64(leaf, manager_word_address_offset(number_), aggregator_bench::base_of(rank) + at);
      write64(leaf, manager_word_value_offset(number_), value);
      write32(leaf, manager_word_send_offset(number_), 1);
      while (read32(leaf, manager_words_under_way_offset(number_)) != 0) continue;
      expect(bench_.word_of<std::uint64_t>(rank, at) == value,
             "word of rank " + std::to_string(rank));
    }
  }

  void tear_down() {
    for (int s = 0; s < static_cast<int>(groups_.size()); ++s)
      if (!mine_below(s).empty())
        write32(s, aggregator_regs::group_control_offset(static_cast<std::size_t>(group_at(s))), 2);
  }

  aggregator_bench& bench_;
  const std::size_t number_;
  const std::vector<int> ranks_;
  std::mt19937 random_;
  std::vector<int> ordered_, groups_;  // groups by switch
  tree_stream stream_;
  std::uint64_t part_ = 0;  // of each rank, in mode SCATTER
  std::string flaw_;
};

// Every rank belongs to one of them.
std::vector<std::vector<int>> deal(random_tree& tree, std::size_t tenants) {
  std::vector<int> ranks(tree.options.leaf_of.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), tree.random);
  std::vector<std::vector<int>> dealt(tenants);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    dealt[i < tenants ? i : static_cast<std::size_t>(tree.pick(0, static_cast<int>(tenants) - 1))]
        .push_back(ranks[i]);
  return dealt;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("tenants set up and tear down at once, and each gets its own sums", "",
                       ((unsigned seed), seed), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) {
  random_tree tree(seed);
  for (int more = tree.pick(6, 12); more > 0; --more) {
    tree.options.leaf_of.push_back(
        tree.pick(0, static_cast<int>(tree.options.parent_of.size()) - 1));
    tree.options.rank_latency.push_back(static_cast<fs_t>(tree.pick(1, 2000)) * fs_per_ns);
  }
  const auto tenants =
      static_cast<std::size_t>(tree.pick(2, static_cast<int>(aggregator_regs::manager_count)));
  aggregator_bench bench(tree.options);
  std::vector<std::unique_ptr<tenant>> all;
  for (std::vector<int>& ranks : deal(tree, std::min(tenants, tree.options.leaf_of.size())))
    all.push_back(std::make_unique<tenant>(bench, all.size(), std::move(ranks), tree.random()));
  for (const auto& each : all) bench.at(0, [&each] { each->live(5); });
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(bench.sim.service<register_audit_log>().records().empty());
  for (const auto& each : all) {
    INFO(each->flaw());
    CHECK(each->flaw().empty());
  }
}
