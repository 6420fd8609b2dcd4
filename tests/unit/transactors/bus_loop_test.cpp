// Buses that lead into each other: legal as long as every access leaves them.
#include <catch2/catch.hpp>

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/text/error_message.hpp"
#include "transactors/bus/address_path.hpp"

using namespace heddle;

namespace {

// What is said of a netlist of buses a, b, c and a memory; "" when it is right.
std::string refusal(const std::string& map) {
  const std::string text =
      "heddle: 1\nname: buses\n"
      "units: {a: {type: bus}, b: {type: bus}, c: {type: bus}, m: {type: memory, size: 1 MiB}}\n"
      "map:\n" +
      map;
  try {
    const netlist_plan plan = plan_netlist(parse_yaml_text(text, "n.yaml"), "n.yaml", {});
    simulation sim(plan.settings);
    const built_system system(plan, sim);
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

class forwarder final : public address_forwarder {
 public:
  explicit forwarder(std::string name) : name_(std::move(name)) {}
  std::vector<way> ways() const override { return ways_; }
  const std::string& forwarder_name() const override { return name_; }
  way& lead(const address_forwarder& to, std::uint64_t first, std::uint64_t last,
            std::uint64_t taken_off) {
    return ways_.emplace_back(way{{first, last}, taken_off, &to});
  }

 private:
  std::string name_;
  std::vector<way> ways_;
};

}  // namespace

TEST_CASE("a bus that leads into itself is refused", "[bus]") {
  CHECK(refusal("  a: [{at: 0, size: 4 KiB, to: a.in}, {default: true, to: m.in}]\n") ==
        "n.yaml:5:7: accesses to 0x0..0xfff of a never arrive: they go round by a -> a");
}

TEST_CASE("defaults of buses that lead to each other are refused", "[bus]") {
  CHECK(refusal("  a: [{default: true, absolute: true, to: b.in}]\n"
                "  b: [{at: 0, size: 1 MiB, to: m.in}, {default: true, absolute: true, to: c.in}]\n"
                "  c: [{default: true, absolute: true, to: a.in}]\n") ==
        "n.yaml:5:7: accesses to 0x0..0xffffffffffffffff of a never arrive: they go round by "
        "b -> c -> a -> b");
}

TEST_CASE("a bus that takes the rest to another one, which has its window, is right", "[bus]") {
  CHECK(refusal(
            "  a: [{at: 0, size: 64 KiB, to: m.in}, {default: true, absolute: true, to: b.in}]\n"
            "  b: [{at: 0x100000, size: 64 KiB, to: a.in}, {at: 0x200000, size: 4 KiB, to: c.in}]\n"
            "  c: [{at: 0, size: 64 KiB, to: a.in}]\n")
            .empty());
}

TEST_CASE("an address that grows smaller at every turn is followed to its end", "[bus]") {
  forwarder bus("bus");
  CHECK(endless_path(bus, bus.lead(bus, 0x1000, 0x3fff, 0x1000)).empty());
  forwarder wide("wide");
  CHECK(endless_path(wide, wide.lead(wide, 0x1000, 0xfffff, 0x1000)) == "wide -> wide");
}
