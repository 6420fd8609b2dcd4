// Sparse kernels on two racks of four nodes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string all_features = "[filter,coalesce,nic_concat,switch]";

nlohmann::json row_of(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto stats = run.stats();
  REQUIRE(stats["gathers"].size() == 1);
  CHECK(stats["gathers"][0]["verified"] == true);
  return stats["gathers"][0];
}

// Everything is over what one node takes alone.
void check_factors(const nlohmann::json& row, const nlohmann::json& kernel) {
  const auto of = [&](const char* key) { return kernel[key].get<double>(); };
  const double compute = of("compute_s"), end = of("end_to_end_s"), one_node = of("one_node_s");
  CHECK(of("speed_up") == Approx(one_node / end));
  CHECK(of("speed_up_no_communication") == Approx(one_node / compute));
  CHECK(of("speed_up_suopt") == Approx(one_node / std::max(row["suopt_s"].get<double>(), compute)));
  CHECK(of("of_ideal") == Approx(compute / end));
  CHECK(of("communication_over_compute") == Approx(row["time_s"].get<double>() / compute));
  CHECK(row["gathering_imbalance"].get<double>() >= 1);
}

}  // namespace

TEST_CASE("kernels compute what their goldens say, bit for bit") {
  const std::string kind = GENERATE("spmv", "spmm", "sddmm");
  const heddle_run run("gather.yaml", {{"workload.kind", kind},
                                       {"workload.k", kind == "spmv" ? "1" : "16"},
                                       {"workload.memory", "real"},
                                       {"workload.features", all_features}});
  const auto row = row_of(run);
  CHECK(row["name"] == kind);
  CHECK(row["kernel"]["end_to_end_s"] > row["kernel"]["compute_s"]);
  // The last batch of the tail node is there before its core knows, and is computed on after that.
  CHECK(row["kernel"]["tail_gathered_s"] < row["time_s"]);
  CHECK(row["kernel"]["one_node_s"] > row["kernel"]["compute_s"]);
  check_factors(row, row["kernel"]);
  CHECK(row["engines"].size() == 1);
}

TEST_CASE("a kernel and a collective share a network, and both are right") {
  const heddle_run run(project_file("tests/system/sparse/shared_network.yaml"), {});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto stats = run.stats();
  REQUIRE(stats["gathers"].size() == 5);
  for (const auto& row : stats["gathers"]) CHECK(row["verified"] == true);
  CHECK(stats["gathers"][0]["shared_with"][0] == "sum");
  REQUIRE(stats["collectives"].size() == 1);
  CHECK(stats["collectives"][0]["verified"] == true);
}

TEST_CASE("computing overlaps with gathering, batch by batch") {
  // Few large batches against many small ones of the same matrix.
  const auto speed_up = [](const char* batch) {
    const heddle_run run("gather.yaml", {{"workload.kind", "spmm"},
                                         {"workload.matrix", "standins/queen.yaml"},
                                         {"workload.scale", "1/1024"},
                                         {"workload.saopt", "true"},
                                         {"workload.batch", batch},
                                         {"workload.features", all_features}});
    const auto kernel = row_of(run)["kernel"];
    CHECK(kernel["end_to_end_s"] >= kernel["compute_s"]);
    CHECK(kernel["end_to_end_s"] >= kernel["tail_gathered_s"]);
    CHECK(kernel["speed_up"] <= kernel["speed_up_no_communication"]);
    CHECK(kernel.contains("speed_up_saopt"));
    return kernel["end_to_end_s"].get<double>() - kernel["tail_gathered_s"].get<double>();
  };
  CHECK(speed_up("64") < speed_up("4096"));
}

TEST_CASE("assumed figures of software and engines can be varied") {
  const auto kernel_with = [](settings values) {
    values.insert(values.begin(), {{"workload.kind", "spmm"},
                                   {"workload.matrix", "standins/queen.yaml"},
                                   {"workload.scale", "1/1024"},
                                   {"workload.features", "[filter,coalesce,nic_concat,switch]"},
                                   {"workload.saopt", "true"}});
    const heddle_run run("gather.yaml", values);
    INFO(run.report());
    REQUIRE(run.result().exited_with(0));
    return run.stats()["gathers"][0];
  };
  const auto usual = kernel_with({}), slow = kernel_with({{"workload.saopt_overhead", "1480 ns"}}),
             uncached = kernel_with({{"workload.engine_cache", "0 B"}});
  CHECK(slow["saopt_s"].get<double>() == Approx(2 * usual["saopt_s"].get<double>()));
  for (const auto& row : {usual, slow, uncached}) {
    check_factors(row, row["kernel"]);
    const double saopt = row["saopt_s"], compute = row["kernel"]["compute_s"];
    CHECK(row["over_saopt"] == Approx(saopt / row["time_s"].get<double>()));
    CHECK(row["kernel"]["speed_up_saopt"] ==
          Approx(row["kernel"]["one_node_s"].get<double>() / std::max(saopt, compute)));
  }
  CHECK(uncached["kernel"]["compute_s"] > usual["kernel"]["compute_s"]);
  CHECK(uncached["time_s"] == usual["time_s"]);
}

TEST_CASE("wrong keys of a kernel are refused with their place") {
  const auto error = [](const settings& values) {
    const heddle_run run("gather.yaml", values);
    CHECK(run.result().exited_with(2));
    return run.result().errors;
  };
  CHECK(error({{"workload.kind", "spmv"}}).find("properties of spmv have one element") !=
        std::string::npos);
  CHECK(error({{"workload.kind", "spmm"}, {"workload.engine", "cpu_dr"}})
            .find("did you mean 'cpu_ddr'?") != std::string::npos);
  CHECK(error({{"workload.engine", "cpu_ddr"}}).find("unknown key 'engine'") != std::string::npos);
}
