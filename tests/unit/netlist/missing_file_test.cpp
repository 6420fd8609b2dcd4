// A netlist that is not there: what is meant, or why it is not found any more.
#include <catch2/catch.hpp>

#include "platform/netlist/installed_files.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/text/diagnostic.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

std::string refusal_of(const std::string& netlist) {
  try {
    plan_netlist(netlist, {});
  } catch (const user_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE(
    "a netlist that comes with Heddle is suggested for its path in the tree and a near name") {
  CHECK(refusal_of("nowhere/yaml/units/accelerator.yaml") ==
        "cannot read 'nowhere/yaml/units/accelerator.yaml': No such file or directory (did you "
        "mean 'units/accelerator.yaml', which comes with Heddle?)");
  CHECK(refusal_of("nowhere/ring_alreduce.yaml") ==
        "cannot read 'nowhere/ring_alreduce.yaml': No such file or directory (did you mean "
        "'ring_allreduce.yaml'?)");
  CHECK(refusal_of("units/acelerator.yaml") ==
        "cannot read 'units/acelerator.yaml': No such file or directory (did you mean "
        "'units/accelerator.yaml'?)");
}

TEST_CASE("a file beside the missing one is the only one that is suggested") {
  const scratch_folder folder;
  folder.write("ring_allreduces.yaml", "heddle: 1\n");
  const std::string missing = folder.file("ring_allreduce.yaml");
  CHECK(refusal_of(missing) == "cannot read '" + missing +
                                   "': No such file or directory (did you mean "
                                   "'ring_allreduces.yaml'?)");
}

TEST_CASE("a folder is no missing netlist") {
  const scratch_folder folder;
  CHECK(refusal_of(folder.path()) == "cannot read '" + folder.path() + "': Is a directory");
}

TEST_CASE("a program whose package was moved says where the netlists were") {
  const std::string missing = "cannot read 'some/system_of_mine.yaml': No such file or directory";
  CHECK(refusal_of("some/system_of_mine.yaml") == missing);
  add_netlist_folder("/nowhere/heddle/yaml");
  CHECK(refusal_of("some/system_of_mine.yaml") ==
        missing +
            "; the netlists of Heddle that this program was built with are not in "
            "'/nowhere/heddle/yaml' any more: build it again");
}
