// What users get wrong in a netlist that gathers: the place and what is wrong, exit code 2.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct mistake {
  settings values;
  const char* message;
};

std::string refused(const settings& values) {
  const heddle_run run("gather.yaml", values);
  INFO(run.report());
  CHECK(run.result().exited_with(2));
  return run.result().errors;
}

}  // namespace

TEST_CASE("wrong keys of a gather are refused with their place") {
  const mistake mistakes[] = {
      {{{"workload.k", "0"}}, "from 1 to 16384"},
      {{{"workload.matrix", "standins/europe.yaml"}, {"node[*].cp.window_size", "134217728 B"}},
       "of memory, properties of 16 elements need"},
      {{{"workload.switch_delay", "2000000"}}, "from 0 to 1048576"},
      {{{"workload.features", "[filter,coalesc]"}}, "did you mean 'coalesce'?"},
      {{{"workload.scale", "1/8"}}, "scale"},
      {{{"workload.matrix", "matrices/eight_node.mtx"}}, "eight_node.mtx"},
      {{{"workload.batch", "0"}}, "from 1 to"},
      {{{"workload.memory", "big"}}, "automatic"},
  };
  for (const mistake& each : mistakes) {
    INFO(each.values.front().first << "=" << each.values.front().second);
    CHECK_THAT(refused(each.values), Catch::Contains(each.message));
  }
}

TEST_CASE("what is wrong in the file of a matrix is told with its line or byte") {
  const scratch_folder folder;
  const std::string head = "%%MatrixMarket matrix coordinate pattern general\n";
  folder.write("out_of_range.mtx", head + "8 8 1\n3 9\n");
  folder.write("truncated.mtx", head + "8 8 2\n1 1\n");
  folder.write("twice.mtx", head + "8 8 2\n1 1\n1 1\n");
  folder.write("zipped.mtx", std::string("\x1f\x8b\x08\x00", 4) + "rest");
  folder.write("short.csr", "HDLCSR01");
  folder.write("tall.mtx", head + "9000000000 9000000000 1\n1 1\n");
  const std::pair<const char*, const char*> files[] = {
      {"out_of_range.mtx", "out_of_range.mtx:3:"},
      {"truncated.mtx", "truncated.mtx:"},
      {"twice.mtx", "twice.mtx:4:"},
      {"zipped.mtx", "gzip"},
      {"short.csr", "short.csr: byte 8"},
      {"tall.mtx", "tall.mtx:2:"},
  };
  for (const auto& [file, message] : files) {
    INFO(file);
    CHECK_THAT(refused({{"workload.matrix", folder.file(file)}}), Catch::Contains(message));
  }
}
