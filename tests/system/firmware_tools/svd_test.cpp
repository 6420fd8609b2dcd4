// show --svd: the registers of a netlist as one core sees them.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"
#include "tests/support/svd_compare.hpp"
#include "tools/regs/parse.hpp"

using namespace heddle;

namespace {

svd_file show_svd(const std::string& netlist, const std::string& core) {
  const scratch_folder folder;
  const std::string file = folder.file("x.svd");
  command line;
  line.words = {heddle_program(), "show", project_file(netlist), "--svd", file};
  if (!core.empty()) line.words.insert(line.words.end(), {"--core", core});
  const command_result shown = run(line);
  INFO(shown.errors);
  REQUIRE(shown.exited_with(0));
  line.words = {"xmllint", "--noout", "--schema", project_file("tests/support/svd_subset.xsd"),
                file};
  const command_result checked = run(line);
  INFO(checked.errors);
  CHECK(checked.exited_with(0));
  return read_svd(file);
}

regs::block block(const std::string& path) {
  return regs::parse_file(project_file("models/" + path + ".regs.yaml"));
}

}  // namespace

TEST_CASE("the SVD file of a netlist has every register of a core's bus at its address") {
  const svd_file seen = show_svd("yaml/ring_allreduce.yaml", "gpu[3].cp");
  CHECK(seen.name == "ring_allreduce");
  std::size_t count = check_svd_block(seen, "gpu_3_dma", 0x10000, block("dma/dma"));
  count += check_svd_block(seen, "gpu_3_vector", 0x20000, block("vector/vector"));
  count += check_svd_block(seen, "gpu_3_multimem", 0x30000, block("inc/multimem/multimem"));
  CHECK(seen.registers.size() == count);
  CHECK(seen.interrupts ==
        std::map<std::string, std::uint64_t>{{"gpu_3_dma_irq", 0}, {"gpu_3_multimem_irq", 1}});
}

TEST_CASE("blocks that a core sees several times have their own addresses in the SVD file") {
  const svd_file seen = show_svd("yaml/scin_dgx8.yaml", "host.cp");
  const regs::block isa = block("inc/isa/isa");
  std::size_t count = 0;
  for (std::uint64_t plane = 0; plane < 4; ++plane)
    count += check_svd_block(seen, "nvs_" + std::to_string(plane) + "_isa",
                             0x40000000 + plane * 0x10000, isa);
  for (std::uint64_t plane = 0; plane < 4; ++plane)
    CHECK(seen.interrupts.at("nvs_" + std::to_string(plane) + "_isa_irq") == plane);
  CHECK(seen.registers.size() == count);
}

TEST_CASE("the SVD file has the devices behind a network that firmware of the core finds") {
  const svd_file gpu = show_svd("yaml/scin_dgx8.yaml", "gpu[0].cp");
  std::size_t count = check_svd_block(gpu, "gpu_0_dma", 0x10000, block("dma/dma"));
  count += check_svd_block(gpu, "gpu_0_vector", 0x20000, block("vector/vector"));
  count += check_svd_block(gpu, "gpu_0_multimem", 0x30000, block("inc/multimem/multimem"));
  const regs::block isa = block("inc/isa/isa");
  for (std::uint64_t plane = 0; plane < 4; ++plane)
    count += check_svd_block(gpu, "nvs_" + std::to_string(plane) + "_isa",
                             0x40000000 + plane * 0x10000, isa);
  CHECK(gpu.registers.size() == count);
  const svd_file node = show_svd("yaml/gather.yaml", "node[0].cp");
  CHECK(check_svd_block(node, "node_0_nic", 0x40000, block("nic/rig/rig")) ==
        node.registers.size());
}

TEST_CASE("a RISC-V core sees its own registers too") {
  const svd_file seen = show_svd("yaml/rv64_bare.yaml", "");
  std::size_t count = check_svd_block(seen, "core", 0xf000000, block("cpu/rv_core/firmware_host"));
  count += check_svd_block(seen, "clint", 0x2000000, block("clint/clint"));
  count += check_svd_block(seen, "plic", 0xc000000, block("plic/plic"));
  count += check_svd_block(seen, "console", 0x10000000, block("console/console"));
  CHECK(seen.registers.size() == count);
}

TEST_CASE("a core without registers has no SVD file") {
  const scratch_folder folder;
  command line;
  line.words = {heddle_program(), "show", project_file("yaml/star8.yaml"), "--svd",
                folder.file("x.svd")};
  CHECK(run(line).exited_with(2));
  CHECK_FALSE(folder.has("x.svd"));
}
