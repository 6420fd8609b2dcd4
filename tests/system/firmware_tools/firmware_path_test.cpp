// Firmware that the netlist names by its path. That it runs is what the tutorial in sw/template
// shows.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result run_template(const scratch_folder& folder, const settings& values) {
  command line = run_command(project_file("sw/template/system.yaml"), folder.file("out"), values);
  line.folder = folder.path();
  return run(line);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("firmware that is nowhere is named with the places") {
  const scratch_folder folder;
  const settings values = {{"core.firmware", "./bild/ad"}};
  const command_result native = run_template(folder, values);
  INFO(native.errors);
  CHECK(native.exited_with(2));
  CHECK(contains(native.errors, "no firmware './bild/ad': there is no " +
                                    project_file("sw/template/bild/ad.so") + " and no bild/ad.so"));
  for (const char* width : {"rv64", "rv32"}) {
    const command_result core =
        run_template(folder, {values[0], {"params.core", std::string(width) + "_core"}});
    INFO(core.errors);
    CHECK(core.exited_with(2));
    CHECK(contains(core.errors, "sw/template/bild/ad." + std::string(width) + ".elf and no"));
  }
}

TEST_CASE("a file in the folder of the caller that is no shared object is the user's mistake") {
  const scratch_folder folder;
  folder.write("text.so", "no program");
  const command_result seen = run_template(folder, {{"core.firmware", "./text"}});
  INFO(seen.errors);
  CHECK(seen.exited_with(2));
  CHECK(contains(seen.errors, "firmware cannot be loaded: "));
  CHECK(contains(seen.errors, "text.so"));
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("a program that the command line names and that cannot be read is blamed on the option") {
  const scratch_folder folder;
  folder.write("text.elf", "no program");
  const auto run_elf = [&](const std::string& file) {
    command line =
        run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"), {{"core.elf", file}});
    line.folder = folder.path();
    return run(line);
  };
  const command_result missing = run_elf("nowhere.elf");
  CHECK(missing.exited_with(2));
  CHECK(missing.errors == "--set core.elf: nowhere.elf: No such file or directory\n");
  const command_result text = run_elf("text.elf");
  CHECK(text.exited_with(2));
  CHECK(text.errors.rfind("--set core.elf: text.elf: ", 0) == 0);
}
#endif
