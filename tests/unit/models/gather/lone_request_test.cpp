// A single property request, to the femtosecond, for each step of NetSparse's ladder, inside a rack
// and between racks. The expected time is the sum of what each part states.
#include <catch2/catch.hpp>

#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr fs_t nic_cycle = 454'545, tor_cycle = 500'000;

fs_t on_link(std::uint64_t bytes) {
  return bytes * 20'000;  // 50 GB/s
}
fs_t on_pcie(std::uint32_t bytes) {
  return bandwidth(256'000'000'000).duration(bytes);
}
fs_t in_memory(std::uint32_t bytes) {
  return 90 * ns + bandwidth(270'000'000'000).duration(bytes);
}

struct ladder_step {
  const char* name;
  bool filters, coalesces, concatenates, uses_switch;
};
constexpr ladder_step ladder[] = {{"rig", false, false, false, false},
                                  {"+filter", true, false, false, false},
                                  {"+coalesce", true, true, false, false},
                                  {"+nic_concat", true, true, true, false},
                                  {"+switch", true, true, true, true}};

// From NIC to NIC: the packet's last byte arrives so long after it may leave.
fs_t network(const ladder_step& s, bool is_between_racks, std::uint64_t sent,
             std::uint64_t put_together, bool waits) {
  const fs_t link = 450 * ns, forwarding = 300 * ns;
  const fs_t plain = is_between_racks ? 4 * link + 3 * forwarding : 2 * link + forwarding;
  if (!s.uses_switch) return plain + on_link(sent);
  // A rack's switch takes the whole packet, looks up, waits for others and sends it anew.
  const fs_t middle = 16 * tor_cycle + (waits ? 125 * tor_cycle : 0);
  const int racks = is_between_racks ? 2 : 1;
  return plain + on_link(sent) + static_cast<fs_t>(racks) * (middle + on_link(put_together));
}

fs_t expected(const ladder_step& s, bool is_between_racks, std::uint32_t length) {
  const fs_t pcie = 200 * ns, dram = 40 * nic_cycle + 1 * ns + 80 * ns;
  const std::uint64_t read = s.concatenates ? 82 : 78, answer = read + length;
  // A packet that has no room for another one does not wait.
  const auto wait_of = [&](std::uint64_t each) {
    return s.concatenates && 64 + 2 * each <= 1500 ? 500 * nic_cycle : 0;
  };
  const fs_t doorbell = pcie + on_pcie(4);
  const fs_t fetch = pcie + in_memory(4) + on_pcie(4) + pcie;
  const fs_t look_up = s.filters ? dram : 0;
  const fs_t request = wait_of(18) + network(s, is_between_racks, read, 82, true);
  const fs_t serve = pcie + in_memory(length) + on_pcie(length) + pcie;
  const bool is_short = 64 + 2 * (18 + length) <= 1500;
  const fs_t response =
      wait_of(18 + length) + network(s, is_between_racks, answer, 82 + length, is_short);
  const fs_t write = on_pcie(length) + pcie + in_memory(length) + pcie;
  const fs_t set_bit = s.filters ? 40 * nic_cycle : 0;
  return doorbell + fetch + look_up + request + serve + response + write + set_bit;
}

}  // namespace

TEST_CASE("a lone request takes what its parts state") {
  rig_bench_settings set;
  set.racks = 2;
  rig_bench b(set);
  struct sent {
    const ladder_step* step;
    bool is_between_racks;
    std::uint32_t length, index;
  };
  std::vector<sent> all;
  b.start([&] {
    for (const ladder_step& s : ladder)
      for (const bool is_between_racks : {false, true})
        for (const std::uint32_t length : {4U, 64U, 512U, 1416U}) {
          const int owner = is_between_racks ? 3 : 1;
          const auto index = static_cast<std::uint32_t>(owner * 64 + 3);
          b.set.length = length;
          b.set.filters = s.filters;
          b.set.coalesces = s.coalesces;
          b.set.concatenates = s.concatenates;
          b.set.uses_switch = s.uses_switch;
          b.fill();
          for (int i = 0; i < b.count(); ++i) b.prepare(i);
          // Longer properties are not cached, but concatenated all the same.
          for (std::size_t r = 0; r < b.controls.size(); ++r) b.prepare_rack(r);
          sc_core::wait(to_sc_time(fs_per_us));
          b.post(0, {0, {index}});
          all.push_back({&s, is_between_racks, length, index});
          sc_core::wait(to_sc_time(20 * fs_per_us));
          CHECK(b.has(0, index));
        }
  });
  b.run();
  REQUIRE(b.completions.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const sent& each = all[i];
    CAPTURE(each.step->name, each.is_between_racks, each.length);
    const fs_t taken = b.completions[i].when - b.doorbells[i];
    CHECK(taken == expected(*each.step, each.is_between_racks, each.length));
    // Never below what NetSparse's numbers alone allow.
    const fs_t round_trip = (each.is_between_racks ? 5400 : 2400) * ns;
    const fs_t crossings = each.is_between_racks ? 4 : 2;
    const bool is_short = each.length <= 512;  // shares packets
    const fs_t waits = (each.step->concatenates && is_short ? 2 * 500 * nic_cycle : 0) +
                       (each.step->uses_switch && is_short ? crossings * 141 * tor_cycle : 0);
    CHECK(taken > round_trip + 1200 * ns + waits);
  }
  CHECK(b.counts(0).issued.raw() == all.size());
  CHECK(b.counts(1).served.raw() + b.counts(3).served.raw() == all.size());
  CHECK(b.failures().empty());
}
