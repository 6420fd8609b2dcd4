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
      {{{"workload.features", "[filter,switch,filter]"}}, "the feature 'filter' is there twice"},
      {{{"workload.ranks", "node[7..0]"}},
       "rank 0 of a gather has node[7].nic, which is node 7: name the ranks in the order"},
      {{{"workload.k", "16"}, {"leaf[*].middle.mtu", "128 B"}},
       "a property of 16 elements takes 64 B and fits into no packet of 128 B of leaf[0].middle: "
       "11 elements are the most"},
      {{{"workload.k", "156"}, {"leaf[*].middle.mtu", "700 B"}}, "154 elements are the most"},
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

TEST_CASE("buffers and pools that hold no packet are refused in the name of their unit") {
  const mistake mistakes[] = {
      {{{"leaf[*].middle.buffer", "1500 B"}, {"leaf[*].middle.mtu", "64 KiB"}},
       "leaf[0].middle: a buffer of 1500 B holds no packet of 65536 B of each message class: "
       "131072 B are the least"},
      {{{"leaf[*].middle.buffer", "2999 B"}}, "leaf[0].middle: a buffer of 2999 B holds no packet"},
      {{{"node[*].nic.tx_buffer", "4 KiB"}, {"node[*].nic.mtu", "14000 B"}},
       "node[0].nic: a tx_buffer of 4096 B holds no packet of 14000 B of each message class: "
       "28000 B are the least"},
      {{{"leaf[*].middle.mtu", "64 KiB"}, {"topology.link.buffer", "32 KiB"}},
       "leaf[0].core.port[0]: the link's buffer of 32768 B holds no packet of 65536 B of "
       "leaf[0].middle"},
      {{{"node[*].nic.pool", "1"}}, "node[0].nic: a pool of 1 queues of 128 B does not hold"},
      {{{"leaf[*].middle.pool", "11"}}, "leaf[0].middle: a pool of 11 queues of 128 B"},
  };
  for (const mistake& each : mistakes)
    CHECK_THAT(refused(each.values), Catch::Contains(each.message));
}

TEST_CASE("a filter that is not clear within the time-out of a poll ends the gather") {
  const heddle_run run("gather.yaml", {{"workload.features", "[filter]"},
                                       {"workload.timeout", "1 ns"},
                                       {"node[*].nic.memory_bandwidth", "1 MB/s"}});
  INFO(run.report());
  CHECK(run.result().exited_with(1));
  CHECK_THAT(run.result().errors, Catch::Contains("the last that it logged: timeout"));
}

TEST_CASE("what a switch could not put together passes it where it puts nothing together") {
  const heddle_run run("gather.yaml", {{"workload.k", "128"},
                                       {"workload.features", "[filter,coalesce,nic_concat]"},
                                       {"leaf[*].middle.mtu", "128 B"}});
  INFO(run.report());
  CHECK(run.result().exited_with(0));
}

TEST_CASE("properties that are longer than a line of the property caches are told before the run") {
  const std::string message =
      "warning: no property cache is used with K = 129: a property takes 516 B, a line of the "
      "caches has 512 B: slices of 128 elements, a gather each, would use them\n";
  const heddle_run run("gather.yaml", {{"workload.k", "[128, 129]"}});
  INFO(run.report());
  CHECK(run.result().exited_with(0));
  CHECK(run.result().errors == message);
  for (const settings& silent :
       {settings{{"workload.k", "129"}, {"workload.features", "[filter,coalesce,nic_concat]"}},
        settings{{"workload.k", "129"}, {"leaf[*].middle.cache", "0 B"}}})
    CHECK(heddle_run("gather.yaml", silent).result().errors.empty());
}

TEST_CASE("a property cache that is not used as a whole is told with the sizes that are") {
  const std::pair<const char*, const char*> sizes[] = {
      {"8 MiB",
       "warning: leaf[0].middle and 1 other: a property cache of 8 MiB holds nothing with K = 128: "
       "lines of 512 B take multiples of 4 MiB in each of 4 pipes, so 16 MiB are the least\n"},
      {"24 MiB",
       "warning: leaf[0].middle and 1 other: of a property cache of 24 MiB, 16 MiB are used with "
       "K = 128: lines of 512 B take multiples of 4 MiB in each of 4 pipes\n"},
      {"16 MiB", ""},
      {"0 B", ""}};
  for (const auto& [size, message] : sizes) {
    const heddle_run run("gather.yaml", {{"workload.k", "[64, 128]"},
                                         {"workload.features", "[filter,coalesce,switch]"},
                                         {"leaf[*].middle.cache", size}});
    INFO(run.report());
    CHECK(run.result().exited_with(0));
    CHECK(run.result().errors == message);
  }
}
