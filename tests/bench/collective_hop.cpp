// `collective-hop.WxH`: what it costs when a router for collectives forwards a flit, each copy of a
// multicast and each result of a reduction counts as one. In turn every tile sends a unicast, a
// multicast to its row, another unicast and its part of a reduction over its row, a flit each, one
// in `interval` cycles: most of the links to tiles are busy a third of the time. All CPU time of
// the run counts, that of the tiles included. `collective-router-memory`: what a router and its
// ports occupy.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "models/mesh/collective/collective_router.hpp"
#include "platform/number/median.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 9;
constexpr cycle_t interval = 8;
constexpr double hops_of_a_round = 5e5;
constexpr double bar_ns = 100;

class collective_node final : public unit {
 public:
  collective_node(const unit_context& context, mesh_position here, int size)
      : unit(context), here_(here), size_(size), port_(*this, clock_, "port", 0, arrivals_, {}) {
    sim().service<clock_domains>().with_period(fs_per_ns).join(*this, clock_);
  }

  void evaluate(cycle_t now) {
    if (arrivals_.take(now)) port_.take(0, now);
    if (now < next_) return;
    if (!port_.has_credit(0, now)) return;  // is woken by one
    port_.send(make(number_++), 0, now);
    next_ += interval;
    clock_.wake(std::max(next_, now + 1));
  }

 private:
  void on_connected() override { clock_.wake(next_); }

  mesh_position turn(std::uint32_t number) const {  // another one for every number
    return {static_cast<std::uint8_t>((here_.x + number) % size_),
            static_cast<std::uint8_t>((here_.y + number / size_) % size_)};
  }

  flit make(std::uint32_t number) const {
    const auto row = static_cast<std::uint8_t>(size_ - 1);
    flit made;
    made.tag = number;
    made.source = here_;
    made.destination = turn(number);
    if (number % 4 == 1) {
      made.op = flit_op::multicast;
      made.destination = {0, here_.y};
      made.mask = {row, 0};
    } else if (number % 4 == 3) {
      made.op = flit_op::lsb_and;
      made.destination = {static_cast<std::uint8_t>(number / 4 % size_), here_.y};
      made.mask = {row, 0};
    }
    return made;
  }

  mesh_position here_;
  std::uint32_t size_;
  clock_member clock_;
  arrival_wheel arrivals_;
  flit_port port_;
  cycle_t next_ = 0;
  std::uint32_t number_ = 0;
};

class collective_load {
 public:
  explicit collective_load(int size) {
    for (int i = 0; i < size * size; ++i) {
      collective_router_parameters router;
      router.x.set(static_cast<std::uint64_t>(i % size));
      router.y.set(static_cast<std::uint64_t>(i / size));
      routers_.push_back(std::make_unique<collective_router>(
          unit_context(fmt::format("router[{}]", i), sim_), router));
      const mesh_position here{static_cast<std::uint8_t>(i % size),
                               static_cast<std::uint8_t>(i / size)};
      nodes_.push_back(std::make_unique<collective_node>(
          unit_context(fmt::format("node[{}]", i), sim_), here, size));
    }
    for (int i = 0; i < size * size; ++i) {
      join(*nodes_[i], "port", *routers_[i], "local");
      if (i % size + 1 < size) join(*routers_[i], "east", *routers_[i + 1], "west");
      if (i / size + 1 < size) join(*routers_[i], "north", *routers_[i + size], "south");
    }
    for (unit* each : sim_.units()) each->on_connected();
  }

  // CPU seconds a flit and router.
  double run() {
    const std::uint64_t before_hops = hops();
    const double before = cpu_seconds();
    while (static_cast<double>(hops() - before_hops) < hops_of_a_round)
      run_kernel_for(100 * fs_per_ns);
    return (cpu_seconds() - before) / static_cast<double>(hops() - before_hops);
  }

  std::size_t router_bytes() const { return routers_.front()->bytes(); }

 private:
  std::uint64_t hops() const {
    std::uint64_t sum = 0;
    for (const auto& each : routers_) sum += each->count().flits.raw();
    return sum;
  }

  static void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b) {
    const flit_link_parameters link;
    a.find_port(port_a)->connect(*b.find_port(port_b), &link);
  }

  simulation sim_{simulation_settings{}};
  std::vector<std::unique_ptr<collective_router>> routers_;
  std::vector<std::unique_ptr<collective_node>> nodes_;
};

std::vector<bench_row> measure(int size, const std::string& name) {
  collective_load mesh(size);
  mesh.run();  // fills queues and caches
  std::vector<double> costs;
  for (int round = 0; round < rounds; ++round) costs.push_back(1e9 * mesh.run());
  std::vector<bench_row> rows = {plain_row(name, median_of(costs), "ns", bar_ns)};
  if (size == 8)
    rows.push_back(
        plain_row("collective-router-memory", static_cast<double>(mesh.router_bytes()), "B", 0));
  return rows;
}

[[maybe_unused]] const bool is_registered = [] {
  for (const int size : {8, 16}) {
    const std::string name = fmt::format("collective-hop.{0}x{0}", size);
    add_benchmark(name, [=] { return measure(size, name); });
  }
  return true;
}();

}  // namespace
}  // namespace heddle
