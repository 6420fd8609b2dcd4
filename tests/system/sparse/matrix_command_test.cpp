// heddle matrix and heddle gather_laws as a user calls them.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result in_folder(const scratch_folder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), heddle_program());
  return run({words, folder.path()});
}

nlohmann::json json_in(const scratch_folder& folder, const std::string& name) {
  return nlohmann::json::parse(folder.content(name));
}

// Node 0 of two has rows 0 and 1: it asks for columns 2 and 3, and twice for 3. Node 1 asks for 0.
const std::string four_rows =
    "%%MatrixMarket matrix coordinate pattern general\n4 4 6\n1 1\n1 3\n1 4\n2 4\n3 1\n4 4\n";

}  // namespace

TEST_CASE("a stand-in is printed beside its source") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder, {"matrix", "standins/queen.yaml", "--scale", "1/64", "--json", "m.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK(result.output.find("queen stand-in, scale 0.015625: 64799 rows, 4946078 nonzeros, 128 "
                           "nodes\n") == 0);
  CHECK(result.output.find("source      ours      error") != std::string::npos);
  const auto json = json_in(folder, "m.json");
  CHECK(json["source"]["unaware"] == 74);
  CHECK(json["unaware"] == Approx(74).epsilon(0.01));
  CHECK(json["source"]["remote_share"] == Approx(0.577).epsilon(0.01));
}

TEST_CASE("a Matrix Market file is measured, and converted") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  const auto market = in_folder(
      folder, {"matrix", "m.mtx", "--nodes", "2", "--csr", "m.csr", "--json", "market.json"});
  INFO(market.errors);
  REQUIRE(market.exited_with(0));
  const auto json = json_in(folder, "market.json");
  CHECK(json["remote"] == 4);
  CHECK(json["remote_columns"] == 3);
  CHECK(json["unaware"] == Approx(4.0 / 3 - 1));
  CHECK(json["sharing"] == 0);
  const auto binary =
      in_folder(folder, {"matrix", "m.csr", "--nodes", "2", "--json", "binary.json"});
  REQUIRE(binary.exited_with(0));
  auto again = json_in(folder, "binary.json");
  again["name"] = "m.mtx";
  CHECK(again == json);
}

// 2 rows by 8 columns: node 0 owns columns 0 to 3 and asks for 4 and 5, node 1 asks for 0.
TEST_CASE("every column has a property, whatever the number of rows") {
  const scratch_folder folder;
  folder.write("wide.mtx",
               "%%MatrixMarket matrix coordinate pattern general\n2 8 4\n1 1\n1 5\n1 6\n2 1\n");
  const auto structure =
      in_folder(folder, {"matrix", "wide.mtx", "--nodes", "2", "--json", "m.json"});
  INFO(structure.errors);
  REQUIRE(structure.exited_with(0));
  CHECK(json_in(folder, "m.json")["unaware"] == Approx(8.0 / 3 - 1));
  const auto baselines = in_folder(
      folder, {"sparse_baselines", "wide.mtx", "--nodes", "2", "--k", "4", "--json", "b.json"});
  REQUIRE(baselines.exited_with(0));
  CHECK(json_in(folder, "b.json")["rows"][0]["suopt_s"] == Approx(4 * 16 / 50e9));
}

TEST_CASE("baselines of properties that no gather has are refused") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  for (const std::string elements : {"0", "16385", "1073741825"}) {
    const auto result = in_folder(folder, {"sparse_baselines", "m.mtx", "--k", elements});
    CHECK(result.exited_with(2));
    CHECK_THAT(result.errors,
               Catch::Contains("--k " + elements + ": a property has from 1 to 16384 elements"));
  }
}

TEST_CASE("baselines are those of the definitions") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  const auto result = in_folder(folder, {"sparse_baselines", "m.mtx", "--nodes", "2", "--k", "4",
                                         "--engine", "accelerator", "--json", "b.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const auto row = json_in(folder, "b.json")["rows"][0];
  CHECK(row["suopt_s"] == Approx(2 * 16 / 50e9));
  // Rows 0 and 1 of node 0 go to different slices: the first asks for two columns.
  CHECK(row["saopt_s"] == Approx(2 * 0.74e-6));
  CHECK(row["saopt_tail"] == 0);
  // Both nodes have two rows; node 0 has four of the six nonzeros and one line of properties.
  const double first = (4 * 8 + 2 * 16 + 64) / 800e9, second = (2 * 8 + 2 * 16 + 64) / 800e9;
  CHECK(row["one_node_s"] == Approx(first + second));
  CHECK(row["compute_s"] == Approx(first));
  CHECK(row["compute_mean_s"] == Approx((first + second) / 2));
  CHECK(row["speed_up"]["no_communication"] == Approx((first + second) / first));
  const double suopt = 2 * 16 / 50e9, saopt = 2 * 0.74e-6;
  CHECK(row["saopt_over_suopt"] == Approx(suopt / saopt));
  CHECK(row["speed_up"]["suopt"] == Approx((first + second) / suopt));
  CHECK(row["speed_up"]["saopt"] == Approx((first + second) / saopt));
  // Node 0 gets a property of 16 B for each of three requests of its slices.
  CHECK(row["saopt_goodput_percent"] == Approx(100 * 3 * 16 / saopt / 50e9));
  const auto unknown = in_folder(folder, {"sparse_baselines", "m.mtx", "--engine", "acelerator"});
  CHECK(unknown.exited_with(2));
  CHECK(unknown.errors.find("did you mean 'accelerator'?") != std::string::npos);
}

TEST_CASE("baselines show times in the unit that fits") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  const auto result = in_folder(
      folder, {"sparse_baselines", "m.mtx", "--nodes", "2", "--k", "4", "--engine", "accelerator"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK_THAT(result.output, Catch::Contains("     4         640 ps        1.48 us"));
  CHECK_THAT(result.output, Catch::Contains("         160 ps"));
}

TEST_CASE("nonzeros that an engine takes at a time need an engine") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  const auto result = in_folder(folder, {"sparse_baselines", "m.mtx", "--batch", "2"});
  CHECK(result.exited_with(2));
  CHECK_THAT(result.errors, Catch::Contains("--batch requires --engine"));
}

TEST_CASE("where nothing is communicated no factor of it is printed") {
  const scratch_folder folder;
  folder.write("m.mtx", four_rows);
  folder.write("d.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 1\n4 4\n");
  for (const auto& [file, nodes] : {std::pair("m.mtx", "1"), std::pair("d.mtx", "2")}) {
    const auto baselines = in_folder(folder, {"sparse_baselines", file, "--nodes", nodes});
    CHECK(baselines.exited_with(0));
    CHECK(baselines.output.find("nan") == std::string::npos);
    CHECK(baselines.output.find("inf") == std::string::npos);
    CHECK(in_folder(folder, {"matrix", file, "--nodes", nodes, "--json", "m.json"}).exited_with(0));
    CHECK(folder.content("m.json").find("-1") == std::string::npos);
  }
}

TEST_CASE("what is wrong with a matrix is said with its place") {
  const scratch_folder folder;
  folder.write("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n");
  folder.write("m.csr", "HDLCSR02" + std::string(40, '\0'));
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "matrix");
    const command_result result = in_folder(folder, words);
    CHECK(result.exited_with(2));
    return result.errors;
  };
  CHECK(error({"m.mtx"}).find("m.mtx:3:1: row 3 is outside of 1 to 2") != std::string::npos);
  CHECK(error({"m.csr"}).find("m.csr: byte 0: a matrix of compressed rows begins with HDLCSR01") !=
        std::string::npos);
  CHECK_THAT(error({"absent.mtx"}), Catch::EndsWith("no matrix \"absent.mtx\"\n"));
  CHECK_THAT(error({"n.mtx"}), Catch::EndsWith("no matrix \"n.mtx\" (did you mean 'm.mtx'?)\n"));
  CHECK_THAT(error({"standins/eurpe.yaml"}),
             Catch::EndsWith("no matrix \"standins/eurpe.yaml\" (did you mean "
                             "'standins/europe.yaml'?)\n"));
  CHECK_THAT(error({"yaml/standins/uk.yaml"}),
             Catch::EndsWith("no matrix \"yaml/standins/uk.yaml\" (did you mean "
                             "'standins/uk.yaml', which comes with Heddle?)\n"));
  CHECK(error({"standins/uk.yaml", "--scale", "2"}).find("above 0 and at most 1") !=
        std::string::npos);
  CHECK(error({"standins/uk.yaml", "--scale", "1/0"}).find("divides by zero") != std::string::npos);
  CHECK(error({"standins/uk.yaml", "--nodes", "0"}).find("--nodes 0") != std::string::npos);
  CHECK(error({"standins/uk.yaml", "--scale", "1/64", "--csr", "uk.csr"})
            .find("only Matrix Market files are converted") != std::string::npos);
  CHECK_FALSE(folder.has("uk.csr"));
}

TEST_CASE("laws of gathers are asked for what can be") {
  const scratch_folder folder;
  const auto told = in_folder(folder, {"gather_laws", "--requests", "2"});
  CHECK(told.output.find("2 reads: 156 B in packets of their own, 100 B in one") !=
        std::string::npos);
  const auto split = in_folder(folder, {"gather_laws", "--requests", "17", "--mtu", "128"});
  CHECK(split.output.find("17 reads: 1326 B in packets of their own, 690 B in 6 packets that they "
                          "share") != std::string::npos);
  const auto error = [&](const std::string& option, const std::string& value) {
    const auto result = in_folder(folder, {"gather_laws", option, value});
    CHECK(result.exited_with(2));
    CHECK(result.output.empty());
    return result.errors;
  };
  for (const char* bytes : {"-1", "0", "1", "100000"})
    CHECK(error("--mtu", bytes).find("--mtu") != std::string::npos);
  CHECK(error("--requests", "0").find("expected 1 to 1000000") != std::string::npos);
  CHECK(error("--link-latency", "-1000").find("expected 0 to 1000000000 ns") != std::string::npos);
  for (const char* ns : {"nan", "inf", "010"})
    CHECK(error("--link-latency", ns).find("heddle gather_laws: --link-latency: ") == 0);
}

TEST_CASE("the laws of gathers reproduce the source's tables") {
  const scratch_folder folder;
  // Those that nothing is simulated for.
  const auto result =
      in_folder(folder, {"reproduce", "sparse.law.header*", "sparse.law.filter*", "sparse.law.m*",
                         "sparse.law.n*", "sparse.law.rtt", "--json", "rows.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  int rows = 0;
  for (const auto& row : json_in(folder, "rows.json")) {
    if (row["verdict"] == "not built") continue;
    CAPTURE(row["id"]);
    const double error = row["error"], tolerance = row["tolerance"];
    CHECK(error >= -tolerance - 1e-12);
    if (row["bound"] != "at_least") CHECK(error <= tolerance + 1e-12);
    ++rows;
  }
  CHECK(rows >= 16);
}

// 64 rows and columns a node. Node 0 asks for 32 columns each of nodes 1 and 2 in its first row,
// for all of node 3 in its second one, and in its third one again for ten of the first; node 1 asks
// for all of node 3, too. Nodes 2 and 3 have a column of their own each.
TEST_CASE("every figure of a matrix's structure is that of its definition") {
  const scratch_folder folder;
  std::string entries;
  const auto row = [&](int number, int first, int count) {
    for (int column = first; column < first + count; ++column)
      entries += std::to_string(number) + " " + std::to_string(column) + "\n";
  };
  row(1, 65, 32);
  row(1, 129, 32);
  row(2, 193, 64);
  row(3, 65, 10);
  row(65, 193, 64);
  row(129, 129, 1);
  row(193, 193, 1);
  folder.write("m.mtx",
               "%%MatrixMarket matrix coordinate pattern general\n256 256 204\n" + entries);
  const auto result =
      in_folder(folder, {"matrix", "m.mtx", "--nodes", "4", "--json", "structure.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const auto json = json_in(folder, "structure.json");
  const double nonzeros = 204, remote = 202, remote_columns = 128 + 64;
  CHECK(json["nonzeros"] == nonzeros);
  CHECK(json["remote"] == remote);
  CHECK(json["remote_columns"] == remote_columns);
  CHECK(json["unaware"] == Approx(3 * 256 / remote_columns - 1));
  CHECK(json["aware"] == Approx(remote / remote_columns - 1));
  CHECK(json["destinations"] == Approx((2 + 1 + 1) / 3.));  // the last ten are no whole window
  CHECK(json["sharing"] == Approx(2 * 64 / remote_columns));
  CHECK(json["remote_share"] == Approx(remote / nonzeros));
  CHECK(json["slices"] == Approx((64 + 64 + 10 + 64) / remote_columns));
  CHECK(json["tail"] == Approx(128 * 4 / remote_columns));
  CHECK(json["imbalance"] == Approx(138 * 4 / nonzeros));
}

// Headers: 50 B of Ethernet to UDP and 14 B of concatenation, or 10 B of a lone request, and 18 B
// of each request. Software has 160 B of headers a property (NetSparse Table 3).
TEST_CASE("the JSON of the laws of gathers holds what its formulas say") {
  const scratch_folder folder;
  const auto told =
      in_folder(folder, {"gather_laws", "--mtu", "600", "--requests", "60", "--link-latency", "100",
                         "--switch-latency", "50", "--json", "laws.json"});
  INFO(told.errors);
  REQUIRE(told.exited_with(0));
  const auto laws = json_in(folder, "laws.json");
  CHECK(laws["round_trip_us"]["in_rack"] == Approx(2 * (2 * 0.1 + 0.05)));
  CHECK(laws["round_trip_us"]["between_racks"] == Approx(2 * (4 * 0.1 + 3 * 0.05)));
  CHECK(laws["filter_columns"] == 8 * 16e9);
  CHECK(laws["least_header"] == 18);
  // KiB: 16 caches of two units each, L1 and L2; of 32 units their buffers of indices and
  // properties and 256 pending and 64 loads of 16 B; the concatenator.
  CHECK(laws["nic_storage_MB"] ==
        Approx(1024e-6 * (16 * (32 + 128) + 32 * (4 + 4 + (256 + 64) * 16 / 1024.0) + 512)));
  REQUIRE(laws["rows"].size() == 9);
  for (int i = 0; i < 9; ++i) {
    const auto& row = laws["rows"][i];
    INFO(row.dump());
    const int elements = 1 << i, bytes = 4 * elements, fitting = (600 - 64) / (18 + bytes);
    const double response = std::max(fitting, 1);
    CHECK(row["elements"] == elements);
    CHECK(row["header_percent"] == Approx(100. * 160 / (160 + bytes)));
    CHECK(row["payload_percent"] == Approx(100. * bytes / (160 + bytes)));
    CHECK(row["reads_in_mtu"] == (600 - 64) / 18);
    CHECK(row["responses_in_mtu"] == fitting);
    CHECK(row["lone_headers"] == 60 * 78);
    CHECK(row["shared_packets"] == 3);  // of up to 29 reads
    CHECK(row["shared_headers"] == 3 * 64 + 60 * 18);
    CHECK(row["goodput_percent_lone"] == Approx(100. * bytes / (bytes + 2 * 78)));
    CHECK(row["goodput_percent_full"] ==
          Approx(100 * bytes / (18 + 64 / 29. + 18 + bytes + 64 / response)));
  }
}
