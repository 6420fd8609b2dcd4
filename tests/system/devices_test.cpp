// A device's address stands in the netlist's map alone: firmware finds what has moved, natively and
// on the core models, and the line that asks for a device that is not there is told.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

std::vector<std::string> cores() {
#ifdef HEDDLE_HAS_RV64
  return {"core", "rv64_core"};
#else
  return {"core"};
#endif
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

std::string shipped_accelerator() {
  std::ifstream file(project_file("yaml/units/accelerator.yaml"));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Two accelerators of that kind, which add by NVLS or around the ring.
std::string write_pair(const scratch_folder& folder, const std::string& accelerator) {
  folder.write("accelerator.yaml", accelerator);
  return folder.write("pair.yaml", R"(heddle: 1
name: pair
params: {core: core}
units:
  gpu: {array: 2, index: g, use: accelerator.yaml, number: "${g}", planes: 1, core: "${core}", multicast: 17592186044416}
  nvs: {use: )" + project_file("yaml/units/nvls_switch.yaml") +
                                       R"(, ports: 2, members: 2}
links:
  - {for: {g: 2}, between: ["gpu[g].port[0]", "nvs.port[g]"]}
workload: {collective: allreduce, algorithm: [ring, nvls], bytes: 1 KiB}
)");
}

std::vector<double> times_of(const std::string& netlist, const std::string& core) {
  const heddle_run seen(netlist, {{"params.core", core}});
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  std::vector<double> found;
  const nlohmann::json collectives = seen.stats()["collectives"];
  for (const auto& each : collectives) found.push_back(each["time_s"]);
  return found;
}

}  // namespace

TEST_CASE("firmware finds devices that the map has moved, and takes as long") {
  const scratch_folder folder, moved_folder;
  std::string moved = shipped_accelerator();
  replace(moved, "{at: 0x10000, size: 4 KiB, to: dma.registers}",
          "{at: 0x50000, size: 4 KiB, to: dma.registers}");
  replace(moved, "{at: 0x20000, size: 4 KiB, to: vector.registers}",
          "{at: 0x10000, size: 4 KiB, to: vector.registers}");
  replace(moved, "{at: 0x30000, size: 4 KiB, to: multimem.registers}",
          "{at: 0x7fff000, size: 4 KiB, to: multimem.registers}");
  for (const std::string& core : cores()) {
    INFO(core);
    const auto as_shipped = times_of(write_pair(folder, shipped_accelerator()), core);
    REQUIRE(as_shipped.size() == 2);
    CHECK(times_of(write_pair(moved_folder, moved), core) == as_shipped);
  }
}

TEST_CASE("show names the devices that firmware of a core finds") {
  command line;
  line.words = {heddle_program(), "show",  project_file("yaml/scin_dgx8.yaml"), "--core",
                "gpu[1].cp",      "--set", "nvs[0].isa.base=0x70000000"};
  const command_result seen = run(line);
  INFO(seen.errors << seen.output);
  REQUIRE(seen.exited_with(0));
  CHECK_THAT(seen.output,
             Catch::StartsWith("devices of gpu[1].cp\n"
                               "  dma                    0  0x0000000000010000  gpu[1].dma\n") &&
                 Catch::Contains("  isa                    0  0x0000000070000000  nvs[0].isa\n") &&
                 Catch::EndsWith("  isa                    3  0x0000000040030000  nvs[3].isa\n"));
}

TEST_CASE("members and host find in-switch accelerators wherever the network has them") {
  for (const std::string& core : cores()) {
    const heddle_run seen(project_file("yaml/scin_dgx8.yaml"),
                          {{"params.gpus", "2"},
                           {"params.planes", "2"},
                           {"params.core", core},
                           {"workload.algorithm", "scin"},
                           {"workload.bytes", "[64 B, 4 KiB]"},  // one plane, and both
                           {"nvs[0].isa.base", "0x70000000"},
                           {"nvs[1].isa.base", "0x51000000"}});
    INFO(seen.report());
    CHECK(seen.is_verified());
  }
}

TEST_CASE("firmware that asks for a device that its map does not have") {
  const scratch_folder folder;
  const std::string netlist = write_pair(folder, shipped_accelerator());
  for (const std::string& core : cores()) {
    const heddle_run seen(netlist,
                          {{"params.core", core}, {"gpu[*].cp.devices", "'*.dma *.multimem'"}});
    INFO(seen.report());
    CHECK(seen.result().exited_with(1));
    CHECK_THAT(seen.result().errors,
               Catch::Contains("failed: gpu[0].cp: firmware asks for vector 0; its map has dma 0 "
                               "at 0x10000, multimem 0 at 0x30000\n"
                               "  at sw/drivers/vector.c:") &&
                   Catch::Contains(" in vector_open\n"));
  }
}

TEST_CASE("a core uses the first device of a block, or the one that is named its own") {
  const scratch_folder folder;
  std::string two_cores = shipped_accelerator();
  replace(two_cores, "  vector: {type: vector,",
          "  second: {type: vector}\n  vector: {type: vector,");
  replace(two_cores, "    - {at: 0x30000",
          "    - {at: 0x8000, size: 4 KiB, to: second.registers}\n    - {at: 0x30000");
  replace(two_cores, "  - {from: vector.memory, to: bus.in}",
          "  - {from: second.memory, to: bus.in}\n  - {from: vector.memory, to: bus.in}");
  const std::string netlist = write_pair(folder, two_cores);
  const auto operations = [&](const settings& values, const std::string& unit) -> std::uint64_t {
    settings all = values;
    all.emplace_back("workload.algorithm", "ring");
    const heddle_run seen(netlist, all);
    INFO(seen.report());
    REQUIRE(seen.is_verified());
    return seen.stats()["units"][unit]["operations"]["value"];
  };
  CHECK(operations({}, "gpu[0].second") > 0);  // the first in the netlist
  CHECK(operations({}, "gpu[0].vector") == 0);
  const settings own = {{"gpu[*].cp.devices", "'*.dma *.vector'"}};
  CHECK(operations(own, "gpu[0].second") == 0);
  CHECK(operations(own, "gpu[0].vector") > 0);
}
