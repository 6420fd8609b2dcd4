// heddle quantize as a user calls it, and the claims that it answers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "platform/tensor/npy.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result in_folder(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), heddle_program());
  return run({words, folder});
}

void write_tensor(const std::string& path, const std::vector<float>& values,
                  const std::vector<std::size_t>& shape) {
  npy_array array;
  array.type = dtype::fp32;
  array.shape = shape;
  array.data.resize(values.size() * sizeof(float));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  write_npy(path, array);
}

}  // namespace

TEST_CASE("quantize writes its table as text, CSV and JSON") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"quantize", "--bits", "4,8", "--block", "32", "--ranks", "6",
                                "--elements", "8192", "--csv", "q.csv", "--json", "q.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  CHECK(result.output.find("quantized allreduce, 6 ranks, 8192 elements of fp16") == 0);
  CHECK_THAT(result.output,
             Catch::Contains("max: the largest error, both over the root mean square"));
  const auto json = nlohmann::json::parse(folder.content("q.json"));
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][0]["bits"] == 4);
  CHECK(json["rows"][1]["bits"] == 8);
  CHECK(json["rows"][1]["compression"] == Approx(16384.0 / (8192 + 512)));
  CHECK(json["rows"][0]["inq"]["relative_rms"] > json["rows"][1]["inq"]["relative_rms"]);
  CHECK(json["exceptions"]["inq_is_better"] == 0);
  const std::string csv = folder.content("q.csv");
  CHECK(csv.find("bits,block,inq_relative_rms,") == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
}

TEST_CASE("a format that is asked for twice has one row") {
  const scratch_folder folder;
  const auto told =
      in_folder(folder.path(), {"quantize", "--bits", "8,4,8", "--block", "32,32", "--ranks", "2",
                                "--elements", "1024", "--csv", "q.csv"});
  INFO(told.errors);
  REQUIRE(told.exited_with(0));
  const std::string csv = folder.content("q.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
}

TEST_CASE("one rank is no ranks") {
  const scratch_folder folder;
  const auto told = in_folder(folder.path(), {"quantize", "--bits", "8", "--block", "32", "--ranks",
                                              "1", "--elements", "1024"});
  CHECK(told.output.rfind("quantized allreduce, 1 rank, 1024 elements of fp16", 0) == 0);
}

TEST_CASE("every layer has outliers of its own") {
  const scratch_folder folder;
  const auto error_of = [&](const std::string& layers, const std::string& elements) {
    const auto result =
        in_folder(folder.path(), {"quantize", "--bits", "8", "--block", "32", "--ranks", "2",
                                  "--layers", layers, "--elements", elements, "--json", "q.json"});
    INFO(result.errors);
    REQUIRE(result.exited_with(0));
    return nlohmann::json::parse(folder.content("q.json"))["rows"][0]["inq"]["relative_rms"]
        .get<double>();
  };
  CHECK(error_of("2", "16384") != error_of("1", "16384"));
  CHECK(error_of("2", "4096") == error_of("1", "4096"));  // no token for the second
}

TEST_CASE("quantize reads a tensor a rank") {
  const scratch_folder folder;
  std::vector<float> values(64, 127.0f);
  for (const char* name : {"in0.npy", "in1.npy"}) write_tensor(folder.file(name), values, {2, 32});
  const std::vector<std::string> words = {"quantize", "--input", "in{r}.npy", "--ranks",
                                          "2",        "--dtype", "fp32",      "--bits",
                                          "8",        "--json",  "q.json"};
  const auto result = in_folder(folder.path(), words);
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  const auto json = nlohmann::json::parse(folder.content("q.json"));
  CHECK(json["elements"] == 64);
  for (const auto& row : json["rows"]) CHECK(row["ring"]["relative_rms"] == 0);

  SECTION("and refuses other shapes") {
    write_tensor(folder.file("in1.npy"), values, {64});
    const auto refused = in_folder(folder.path(), words);
    CHECK(refused.exited_with(2));
    CHECK(refused.errors.find("its shape (64) differs from that of in0.npy (2, 32)") !=
          std::string::npos);
  }
  SECTION("and what is said of random ones") {
    for (const char* option : {"--elements", "--layers", "--seed"}) {
      std::vector<std::string> more = words;
      more.insert(more.end(), {option, "7"});
      const auto refused = in_folder(folder.path(), more);
      CHECK(refused.exited_with(2));
      CHECK(refused.errors.find(option + std::string(" excludes --input")) != std::string::npos);
    }
  }
  SECTION("and infinities") {
    values[5] = std::numeric_limits<float>::infinity();
    write_tensor(folder.file("in1.npy"), values, {2, 32});
    const auto refused = in_folder(folder.path(), words);
    CHECK(refused.exited_with(2));
    CHECK(refused.errors.find("in{r}.npy: holds infinities or NaNs") != std::string::npos);
  }
}

TEST_CASE("claims about quantization are answered by a study") {
  const scratch_folder folder;
  const auto rows_of = [&](const std::string& glob) {
    const auto result = in_folder(folder.path(), {"reproduce", glob, "--json", "rows.json"});
    INFO(result.errors);
    REQUIRE(result.exited_with(0));
    return nlohmann::json::parse(folder.content("rows.json"));
  };
  const auto rows = rows_of("scin.inq.*");
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows) CHECK(row["verdict"] == "ok");
  CHECK(rows[1]["id"] == "scin.inq.beats-ring-quant");
  CHECK(rows[1]["case"] == "block");
  const auto law = rows_of("scin.law.inq-compression");
  REQUIRE(law.size() == 1);
  CHECK(law[0]["verdict"] == "ok");
  CHECK(law[0]["ours"] == Approx(128.0 / 66));
}

// Two equal tensors of 32 elements in one block of 8 bits: the largest, 127, has the scale 1, and
// 0.75 is taken for 1 in each. Their sum is rescaled: 254 has the scale 2, so 2 is taken for 1 x 2.
TEST_CASE("errors of quantize are those of a sum by hand") {
  const scratch_folder folder;
  std::vector<float> values(32, 0.0f);
  values[0] = 127.0f;
  values[1] = 0.75f;
  for (const char* name : {"in0.npy", "in1.npy"}) write_tensor(folder.file(name), values, {32});
  const auto result = in_folder(
      folder.path(), {"quantize", "--input", "in{r}.npy", "--ranks", "2", "--dtype", "fp32",
                      "--bits", "8", "--block", "32", "--csv", "q.csv", "--json", "q.json"});
  INFO(result.output + result.errors);
  REQUIRE(result.exited_with(0));
  const double error = 2 - 1.5, norm = std::sqrt(254. * 254 + 1.5 * 1.5);
  const auto row = nlohmann::json::parse(folder.content("q.json"))["rows"][0];
  for (const char* where : {"inq", "ring"}) {
    INFO(where);
    CHECK(row[where]["relative_rms"] == Approx(error / norm));
    CHECK(row[where]["largest"] == Approx(error / (norm / std::sqrt(32.))));
    CHECK(row[where]["sqnr_dB"] == Approx(20 * std::log10(norm / error)));
  }
  CHECK(row["gap"].get<double>() == Approx(0).margin(1e-12));
  CHECK(row["ratio"] == Approx(1));
  CHECK(row["compression"] == Approx(32 * 4. / (32 + 2)));
}

TEST_CASE("a row of quantize is the same in CSV and JSON, and its gap and ratio follow from it") {
  const scratch_folder folder;
  const auto result =
      in_folder(folder.path(), {"quantize", "--bits", "8,4", "--block", "32,128", "--ranks", "4",
                                "--elements", "8192", "--csv", "q.csv", "--json", "q.json"});
  INFO(result.errors);
  REQUIRE(result.exited_with(0));
  std::istringstream lines(folder.content("q.csv"));
  std::string line;
  std::getline(lines, line);
  const auto all = nlohmann::json::parse(folder.content("q.json"));
  std::size_t worse = 0;
  for (const auto& row : all["rows"]) {
    INFO(row.dump());
    const double inq = row["inq"]["relative_rms"], ring = row["ring"]["relative_rms"];
    CHECK(row["gap"] == Approx(ring - inq));
    CHECK(row["ratio"] == Approx(ring / inq));
    worse += ring > inq ? 0 : 1;
    std::vector<double> expected = {row["bits"], row["block"]};
    for (const char* where : {"inq", "ring"}) {
      CHECK(row[where]["sqnr_dB"] ==
            Approx(-20 * std::log10(row[where]["relative_rms"].get<double>())));
      CHECK(row[where]["largest"] > row[where]["relative_rms"]);
      for (const char* figure : {"relative_rms", "largest", "sqnr_dB"})
        expected.push_back(row[where][figure]);
    }
    for (const char* figure : {"gap", "ratio", "compression"}) expected.push_back(row[figure]);
    REQUIRE(std::getline(lines, line));
    std::istringstream cells(line);
    for (const double each : expected) {
      std::string cell;
      REQUIRE(std::getline(cells, cell, ','));
      CHECK(std::stod(cell) == Approx(each).epsilon(1e-5));
    }
  }
  CHECK(all["exceptions"]["inq_is_better"] == worse);
  const auto row_of = [&](int bits, int block) {
    for (const auto& row : all["rows"])
      if (row["bits"] == bits && row["block"] == block) return row;
    return nlohmann::json();
  };
  for (const std::string figure : {"gap", "ratio"}) {
    INFO(figure);
    int with_block = 0, with_fewer_bits = 0;
    const auto grows = [&](const nlohmann::json& before, const nlohmann::json& after) {
      return after[figure].get<double>() > before[figure].get<double>();
    };
    for (const int bits : {8, 4}) with_block += grows(row_of(bits, 32), row_of(bits, 128)) ? 0 : 1;
    for (const int block : {32, 128})
      with_fewer_bits += grows(row_of(8, block), row_of(4, block)) ? 0 : 1;
    CHECK(all["exceptions"][figure + "_grows_with_block"] == with_block);
    CHECK(all["exceptions"][figure + "_grows_with_fewer_bits"] == with_fewer_bits);
  }
}
