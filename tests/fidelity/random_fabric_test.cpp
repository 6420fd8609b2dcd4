// Random fabrics are refused with the cycle of their channels, or deliver every packet, in order
// and with every byte. A failure is shrunk to a smaller fabric that fails, too.
#include "tests/fidelity/random_fabric.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/fidelity/route_walk.hpp"
#include "tests/support/random_numbers.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

// A fabric whose routes are taken as they are.
struct free_run {
  bool has_cycle = false;  // then it does not run
  bool has_failed = false;
  std::uint64_t sent = 0, received = 0;
};
enum class verdict { accepted, refused, looped, wrong };

// Which channel a packet may hold while it waits for which other, from every way of all pairs.
using channel = route_walk::channel;
using dependencies = std::map<channel, std::set<channel>>;

dependencies dependencies_of(simulation& sim) {
  const route_walk walk(sim);
  std::vector<const packet_traffic*> hosts;
  for (const unit* each : sim.units())
    if (const auto* host = dynamic_cast<const packet_traffic*>(each)) hosts.push_back(host);
  dependencies found;
  for (const packet_kind kind : {packet_kind::traffic, packet_kind::traffic_response})
    for (const packet_traffic* from : hosts)
      for (const packet_traffic* to : hosts) {
        if (from == to) continue;
        packet p;
        p.kind = kind;
        p.source = from->endpoint();
        p.destination = to->endpoint();
        walk.follow_all(p, *from, [&](const channel& held, const channel& wanted) {
          found[held].insert(wanted);
          found[wanted];
        });
      }
  return found;
}

// Channels that wait for none of the rest are taken away until there is nothing left, or a cycle.
bool has_cycle(dependencies all) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto each = all.begin(); each != all.end();) {
      bool waits = false;
      for (const channel& next : each->second) waits |= all.count(next) > 0;
      has_changed |= !waits;
      each = waits ? std::next(each) : all.erase(each);
    }
  }
  return !all.empty();
}

free_run run_unchecked(const random_fabric& f) {
  traffic_system system(f.netlist(false));
  free_run found;
  found.has_cycle = has_cycle(dependencies_of(system.sim));
  if (found.has_cycle) return found;
  system.run();
  found.has_failed = !system.failures().empty();
  for (const unit* each : system.sim.units())
    if (const auto* host = dynamic_cast<const packet_traffic*>(each)) {
      found.sent += host->count().packets_sent.raw();
      found.received += host->count().packets_received.raw();
    }
  return found;
}

verdict judge(const random_fabric& f) {
  try {
    const traffic_system system(f.netlist());
  } catch (const user_error& refusal) {
    const std::string text = refusal.what();
    if (text.find("can deadlock") != std::string::npos) return verdict::refused;
    const bool is_loop = text.find("routes lead in a circle") != std::string::npos;
    return is_loop ? verdict::looped : verdict::wrong;
  }
  return verdict::accepted;
}

// Packets that were delivered, or why the fabric is wrong.
struct finding {
  std::uint64_t packets = 0;
  std::string wrong;
};

finding examine(const random_fabric& f) {
  const verdict said = forked_runs(std::vector{f}, judge).front();
  if (said == verdict::wrong) return {0, "refused without a cycle"};
  if (f.has_loop() != (said == verdict::looped))
    return {0, said == verdict::looped ? "refused for no loop" : "accepted in spite of a loop"};
  if (said == verdict::looped) return {};
  const free_run found = forked_runs(std::vector{f}, run_unchecked).front();
  if (found.has_cycle != (said == verdict::refused))
    return {0, found.has_cycle ? "accepted in spite of a cycle" : "refused for no cycle"};
  if (found.has_failed || found.sent != found.received) return {0, "packets lost or wrong"};
  return {found.received, {}};
}

std::uint64_t examine_many(std::uint64_t first_seed, int fabrics, int packets) {
  std::uint64_t delivered = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + fabrics; ++seed) {
    random_fabric f;
    f.seed = seed;
    f.switches = 2 + static_cast<int>(seed * 7 % 63);
    f.more_links = static_cast<int>(seed * 5 % 40);
    f.hosts = 2 + static_cast<int>(seed * 3 % 60);
    f.packets = packets;
    const finding found = examine(f);
    delivered += found.packets;
    if (found.wrong.empty()) continue;
    const random_fabric smallest =
        shrink(f, [](const random_fabric& each) { return !examine(each).wrong.empty(); });
    FAIL(smallest.text() << ": " << examine(smallest).wrong << "\n" << smallest.netlist());
  }
  return delivered;
}

}  // namespace

TEST_CASE("random fabrics are refused with a cycle, or deliver all in order and intact") {
  CHECK(examine_many(1, 30, 300) > 100'000);
}

TEST_CASE("many random fabrics", "[long]") {
  CHECK(examine_many(1000, 1000, 300) > 3'000'000);
}

TEST_CASE("random fabrics under lasting load", "[long]") {
  CHECK(examine_many(3000, 60, 6000) > 3'000'000);
}
