// tools/sweep as a user calls it: exact CSV, labels of the SVG, the same bytes again, mistakes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string sweep_file = project_file("tests/system/sweep/sweep.yaml");

command sweep_command(const std::string& sweep, const std::vector<std::string>& more,
                      const std::string& folder) {
  command line;
  line.words = {"/usr/bin/python3", "-B", project_file("tools/sweeping/main.py"), sweep, "--heddle",
                heddle_program()};
  line.words.insert(line.words.end(), more.begin(), more.end());
  line.folder = folder;
  return line;
}

std::string changed(std::string text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) FAIL("'" << before << "' is not in the sweep");
  return text.replace(at, before.size(), after);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_xml(const std::string& path) {
  command line;
  line.words = {"/usr/bin/python3", "-c",
                "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])", path};
  return run(line).exited_with(0);
}

bool has_label(const std::string& svg, const std::string& text) {
  return svg.find("<text>" + text + "</text>") != std::string::npos ||
         svg.find("<text> " + text + "</text>") != std::string::npos ||
         svg.find(text + "</tspan>") != std::string::npos;
}

}  // namespace

TEST_CASE("a sweep writes its figures, and the same bytes again") {
  const scratch_folder folder;
  const command_result first =
      run(sweep_command(sweep_file, {"--out", "first", "--jobs", "3"}, folder.path()));
  CHECK(first.exited_with(0));
  CHECK(first.errors ==
        "sizes: left out 'later', pending: not yet\n"
        "future: left out 'later', pending: not yet\n"
        "future: not drawn, nothing of it is ready\n");
  CHECK(first.output == "sizes: Bytes and quotients\nranks: DMA\nresults: first\n");

  const std::string small =
      "ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; train=1; params.gpus=2\n";
  const std::string large =
      "ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; params.gpus=2\n";
  CHECK(folder.content("first/sizes.csv") ==
        "figure,curve,x,y,unit,netlist,settings\n"
        "sizes,twice,1024,2048,B," +
            small + "sizes,twice,2048,4096,B," + large + "sizes,hidden,1024,90,GB/s," + small +
            "sizes,hidden,2048,90,GB/s," + large + "sizes,a rank's,1024,512,B," + small +
            "sizes,a rank's,2048,1024,B," + large +
            "sizes,ratio,1024,4,x,ring_allreduce.yaml,twice / a rank's\n"
            "sizes,ratio,2048,4,x,ring_allreduce.yaml,twice / a rank's\n"
            "sizes,half,1024,512,B,,Table 1\n"
            "sizes,half,4096,512,B,,Table 1\n"
            "sizes,stated,4096,3000,B,,Table 2\n");
  CHECK(folder.content("first/ranks.csv") ==
        "figure,curve,x,y,unit,netlist,settings\n"
        "ranks,moved,2,1,KiB,ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; "
        "workload.bytes=1 KiB\n"
        "ranks,moved,4,1.5,KiB,ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; "
        "workload.bytes=1 KiB\n"
        "ranks,ranks,2,2,1,ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; "
        "workload.bytes=1 KiB\n"
        "ranks,ranks,4,4,1,ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; "
        "workload.bytes=1 KiB\n");

  const std::string sizes = folder.content("first/sizes.svg");
  for (const char* text : {"Bytes and quotients (nowhere)", "message size", "moved &amp; kept (B)",
                           "1 KiB", "4 KiB", "twice", "a rank's", "half of it", "3 kB", "stated"}) {
    INFO(text);
    CHECK(has_label(sizes, text));
  }
  CHECK_FALSE(has_label(sizes, "hidden"));
  CHECK_FALSE(has_label(sizes, "later"));
  CHECK(has_label(folder.content("first/ranks.svg"), "of the first"));
  CHECK(is_xml(folder.file("first/sizes.svg")));
  CHECK(is_xml(folder.file("first/ranks.svg")));

  CHECK(run(sweep_command(sweep_file, {"--out", "again", "--jobs", "1"}, folder.path()))
            .exited_with(0));
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder.file("first"))) {
    const std::string name = each.path().filename().string();
    if (name == "points") continue;
    CHECK(folder.content("again/" + name) == folder.content("first/" + name));
    ++files;
  }
  CHECK(files == 4);
}

TEST_CASE("a sweep takes what the run tells") {
  const scratch_folder folder;
  const std::string text = changed(text_of(sweep_file), "collectives[i].ceiling_Bps\", scale: 1e-9",
                                   "collectives[i].time_s\", scale: 1e15");
  folder.write("sweep.yaml", text);
  CHECK(run(sweep_command("sweep.yaml", {"--only", "sizes"}, folder.path())).exited_with(0));
  CHECK_FALSE(folder.has("out/sweeps/tiny/ranks.csv"));
  const heddle_run alone(
      "ring_allreduce.yaml",
      {{"params.planes", "1"}, {"params.gpus", "2"}, {"workload.bytes", "[1 KiB, 2 KiB]"}});
  std::array<char, 64> row{};
  std::snprintf(row.data(), row.size(), "sizes,hidden,2048,%.7g,",
                alone.stats()["collectives"][1]["time_s"].get<double>() * 1e15);
  CHECK(folder.content("out/sweeps/tiny/sizes.csv").find(row.data()) != std::string::npos);
}

TEST_CASE("a run goes over what the sweep sets for all, and its rows do not claim that setting") {
  const scratch_folder folder;
  folder.write("sweep.yaml", changed(text_of(sweep_file), "params.planes: 1}",
                                     "params.planes: 1, params.gpus: 8}"));
  CHECK(run(sweep_command("sweep.yaml", {"--only", "ranks"}, folder.path())).exited_with(0));
  const std::string csv = folder.content("out/sweeps/tiny/ranks.csv");
  INFO(csv);
  CHECK(csv.find("ranks,ranks,4,4,1,ring_allreduce.yaml,workload.algorithm=ring; params.planes=1; "
                 "workload.bytes=1 KiB\n") != std::string::npos);
}

TEST_CASE("a check of a sweep runs nothing, and comes before the build") {
  const scratch_folder folder;
  const command_result right =
      run(sweep_command(sweep_file, {"--check", "--out", "out"}, folder.path()));
  INFO(right.errors);
  CHECK(right.exited_with(0));
  CHECK(right.output.empty());
  CHECK_FALSE(folder.has("out"));
  command line;
  line.words = {project_file("tools/sweep"), sweep_file, "--only", "nothing"};
  line.folder = folder.path();
  const command_result wrong = run(line);
  CHECK(wrong.exited_with(2));
  CHECK_THAT(wrong.errors, Catch::Contains("no figure 'nothing'"));
}

TEST_CASE("mistakes in sweeps are explained, and nothing is written") {
  const std::string right = text_of(sweep_file);
  const std::vector<std::array<std::string, 3>> mistakes = {
      {"title: DMA", "titel: DMA",
       "28:5: missing key 'title' in figure 'ranks' (is 'titel' meant?)"},
      {"panel: all", "panle: all", "34:35: unknown key 'panle' in curve (did you mean 'panel'?)"},
      {"run: sizes", "run: size", "20:28: no run 'size' (did you mean 'sizes'?)"},
      {"[twice, a rank's]", "[twice, a rang's]",
       "24:38: no curve 'a rang's' above (did you mean 'a rank's'?)"},
      {"[twice, a rank's]", "[twice]", "24:30: expected two curves: [numerator, denominator]"},
      {"collectives[i].bytes\"", "collectives[i].byte\"",
       "18:11: stats.json has no 'byte' in collectives[0] (did you mean 'bytes'?)"},
      {"units.gpu[0].dma", "units.gpu[9].dma",
       "33:62: stats.json has no 'gpu[9].dma' in units (did you mean 'gpu[1].dma'?)"},
      {"units.gpu[0].dma.bytes", "units.gpu[0].dma.byte",
       "33:62: stats.json has no 'byte' in gpu[0].dma (did you mean 'bytes'?)"},
      {"collectives[0].ranks", "collectives[i].ranks",
       "34:53: [i] counts sizes, but run 'ranks' is over params.gpus"},
      {"set: {workload.bytes: 1 KiB}", "set: {params.gpus: 3}",
       "10:71: run 'ranks' sets params.gpus and goes over it: one of them"},
      {"over: {params.gpus: [2, 4]}", "over: {params.gpus: [2, 4, 2]}",
       "10:98: the value 2 is given twice (first at sweep.yaml:10:92)"},
      {"{from: 1 KiB, to: 2 KiB}", "[1 KiB, 1024 B]",
       "9:36: the value 1024 B is given twice (first at sweep.yaml:9:29)"},
      {"to: 2 KiB", "to: 2 KIB", "9:46: unknown unit 'KIB' (one of "},
      {"from: 1 KiB, to: 2 KiB", "from: 0.5 B, to: 2 KiB", "9:35: expected whole bytes, got 0.5 B"},
      {"to: 2 KiB", "to: 1 B", "9:28: expected sizes or plain numbers, `from` above 0 and up to"},
      {"name: tiny", "name: tiny\nname: tiny", "3:1: duplicate key 'name' (first at "},
      {"heddle_sweep: 1", "heddle_sweep: 2", "1:15: this Heddle reads sweeps of version 1"},
      {"level: 512", "pending: 512", "25:9: curve 'half' needs one of `run`, `ratio`, `level` and"},
      {"legend: top left", "legend: top", "17:13: 'top' is none of below, top left, top right"},
      {"netlist: ring_allreduce.yaml", "netlist: ring_alreduce.yaml",
       "7:5: run 'sizes' is refused: cannot read 'ring_alreduce.yaml'"},
      {"params.planes: 1", "params.plane: 1",
       "is refused: --set params.plane: the netlist has no parameter 'plane' (did you mean"},
      {"algorithm: ring", "algorithm: [ring, direct]",
       "18:11: the run has 2 collectives, not 1: [i] takes one with one algorithm"},
      {"a rank's], hidden: true", "a rank's]",
       "24:9: curve 'ratio' is a ratio, but the axis of figure 'sizes' is in B: hide it, or draw"},
      {"a rank's], hidden", "a rank's], unit: us, hidden",
       "24:9: curve 'ratio' is a ratio, and no ratio is in us"},
      {"unit: B}", "unit: B, from: 2, to: 1}", "16:52: `to` must be more than `from`"},
      {"unit: B}", "unit: B, scale: log2, from: 0}", "16:58: a logarithmic axis lies above 0"},
      {"level: 512", "level: nan", "25:29: expected a number, got 'nan'"},
      {"level: 512", "level: 512, from: 2 KiB, to: 1 KiB", "`to` must be more than `from`"},
      {"from: 1 KiB, to: 4 KiB", "from: 1 MiB, to: 4 MiB",
       "13:5: no point of figure 'sizes' lies inside its axes"},
      {"to: 4 KiB", "to: 1e999 KiB", "'1e999 KiB' is too large"},
      {"scale: 1e-9", "scale: inf", "expected a number, got 'inf'"}};
  for (const auto& [before, after, message] : mistakes) {
    const scratch_folder folder;
    folder.write("sweep.yaml", changed(right, before, after));
    const command_result result = run(sweep_command("sweep.yaml", {}, folder.path()));
    INFO(after << "\n" << result.errors);
    CHECK(result.exited_with(2));
    CHECK(result.errors.find(message) != std::string::npos);
    CHECK(result.errors.find("Traceback") == std::string::npos);
    for (const char* name : {"sizes", "ranks"}) {
      CHECK_FALSE(folder.has("out/sweeps/tiny/" + std::string(name) + ".csv"));
      CHECK_FALSE(folder.has("out/sweeps/tiny/" + std::string(name) + ".svg"));
    }
  }
}

TEST_CASE("a series takes a list of one run") {
  const scratch_folder folder;
  const std::string text =
      "heddle_sweep: 1\nname: listed\nruns:\n"
      "  one:\n    netlist: ring_allreduce.yaml\n"
      "    set: {params.gpus: 2, workload.bytes: [1 KiB, 4 KiB], train: 1}\n"
      "    over: {params.planes: [1]}\n"
      "figures:\n  listed:\n    title: A list\n"
      "    x: {label: bytes, from: 1, to: 5000, scale: linear}\n    y: {label: ranks, unit: x}\n"
      "    curves:\n"
      "      - {name: ranks, run: one, along: \"collectives[*].bytes\", take: "
      "\"collectives[*].ranks\", scale: 3}\n";
  folder.write("sweep.yaml", text);
  const command_result result = run(sweep_command("sweep.yaml", {}, folder.path()));
  INFO(result.errors);
  CHECK(result.exited_with(0));
  const std::string csv = folder.content("out/sweeps/listed/listed.csv");
  CHECK(csv.find("listed,ranks,1024,6,x,") != std::string::npos);
  CHECK(csv.find("listed,ranks,4096,6,x,") != std::string::npos);

  const auto taken = [&](const std::string& take) {
    folder.write("sweep.yaml", changed(text, "collectives[*].ranks", take));
    const command_result ran = run(sweep_command("sweep.yaml", {}, folder.path()));
    INFO(ran.errors);
    CHECK(ran.exited_with(0));
    return folder.content("out/sweeps/listed/listed.csv");
  };
  const std::string quotients = taken("collectives[*].bytes / collectives[*].ranks");
  CHECK(quotients.find("listed,ranks,1024,1536,x,") != std::string::npos);
  CHECK(quotients.find("listed,ranks,4096,6144,x,") != std::string::npos);
  const std::string numbers =
      taken("collectives[0].rank_time_s[*] / collectives[0].rank_time_s[*]");
  CHECK(numbers.find("listed,ranks,1024,3,x,") != std::string::npos);

  const std::string three = changed(text, "[1 KiB, 4 KiB]", "[1 KiB, 2 KiB, 4 KiB]");
  const std::array<std::string, 3> mistakes[] = {
      {"along: \"collectives[*].bytes\", ", "", "a series has [*] in `take` and in `along`"},
      {"planes: [1]", "planes: [1, 2]", "a series is of one run, but run 'one' has several values"},
      {"[*].ranks", "[*].rank", "stats.json has no 'rank' in collectives[0]"},
      {"[*].ranks", "[*].ranks / collectives[0].ranks",
       "a quotient has [*] in both of its paths, or in none"},
      {"[*].ranks", "[*].ranks / collectives[*].law_s", "collectives[0].law_s is 0"},
      {"collectives[*].ranks", "collectives[0].rank_time_s[*]",
       "14:70: `take` has 2 elements, `along` 3"},
      {"[*].ranks", "[*].ranks / collectives[0].rank_time_s[*]",
       "collectives[*].ranks has 3 elements, collectives[0].rank_time_s[*] 2"},
      {"collectives[*].ranks", "units.gpu-0[*].bytes",
       "[*] takes the elements of a list, and units are none"}};
  for (const auto& [before, after, message] : mistakes) {
    folder.write("sweep.yaml", changed(three, before, after));
    const command_result refused = run(sweep_command("sweep.yaml", {}, folder.path()));
    INFO(after << "\n" << refused.errors);
    CHECK(refused.exited_with(2));
    CHECK(refused.errors.find(message) != std::string::npos);
  }
}

TEST_CASE("a figure needs no source, and is told of points outside its axes") {
  const scratch_folder folder;
  std::string text = changed(text_of(sweep_file), "    source: nowhere\n", "");
  text = changed(text, "unit: B}", "unit: B, from: 0, to: 3500}");
  folder.write("sweep.yaml", text);
  const command_result result =
      run(sweep_command("sweep.yaml", {"--only", "sizes"}, folder.path()));
  CHECK(result.exited_with(0));
  CHECK(result.errors ==
        "sizes: left out 'later', pending: not yet\n"
        "sweep.yaml:19:9: 1 of 2 points of curve 'twice' lie outside the axes of figure 'sizes', "
        "the first at x = 2048, y = 4096\n");
  CHECK(has_label(folder.content("out/sweeps/tiny/sizes.svg"), "Bytes and quotients"));
}

TEST_CASE("the numbers of an axis have a unit") {
  const scratch_folder folder;
  const auto figure = [&folder](const std::string& x) {
    folder.write("sweep.yaml",
                 changed(text_of(sweep_file), "{label: message size, from: 1 KiB, to: 4 KiB}", x));
    CHECK(run(sweep_command("sweep.yaml", {"--only", "sizes"}, folder.path())).exited_with(0));
    return folder.content("out/sweeps/tiny/sizes.svg");
  };
  const std::string linear = figure("{label: message size, scale: linear, from: 0 B, to: 16 KiB}");
  for (const char* text : {"0 B", "2 KiB", "14 KiB", "16 KiB", "message size"}) {
    INFO(text);
    CHECK(has_label(linear, text));
  }
  CHECK_FALSE(has_label(linear, "1 KiB"));
  CHECK(has_label(figure("{label: message size, from: 1023.5 B, to: 4 KiB}"), "1023.5 B"));
  CHECK(has_label(figure("{label: message size, scale: log10, from: 100 B, to: 10 KB}"),
                  "message size (B)"));
}

TEST_CASE("a sweep that ran goes on from its points, unless what they depend on changed") {
  const scratch_folder folder;
  folder.write("own.yaml", text_of(project_file("yaml/ring_allreduce.yaml")));
  folder.write("sweep.yaml", changed(text_of(sweep_file), "netlist: ring_allreduce.yaml\n",
                                     "netlist: own.yaml\n"));
  const auto sizes = [&folder](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--only", "sizes"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(run(sweep_command("sweep.yaml", words, folder.path())).exited_with(0));
  };
  const auto times = [&folder] {
    std::vector<std::filesystem::file_time_type> found;
    const std::string points = folder.file("out/sweeps/tiny/points");
    for (const auto& each : std::filesystem::directory_iterator(points)) {
      const std::string name = each.path().filename().string();
      if (name != ".lock" && name != "plan.json") found.push_back(each.last_write_time());
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  sizes({});
  const auto first = times();
  CHECK(first.size() == 2);
  sizes({});
  CHECK(times() == first);
  sizes({"--fresh"});
  const auto fresh = times();
  CHECK(fresh.size() == 2);
  CHECK(fresh.front() > first.back());
  folder.write("own.yaml", "# changed\n" + text_of(project_file("yaml/ring_allreduce.yaml")));
  sizes({});
  CHECK(times().size() == 2);
  CHECK(times().front() > fresh.back());
}

TEST_CASE("a run of a sweep is repeated if its record is damaged") {
  const scratch_folder folder;
  const auto sizes = [&folder] {
    return run(sweep_command(sweep_file, {"--only", "sizes"}, folder.path()));
  };
  REQUIRE(sizes().exited_with(0));
  const std::string csv = folder.content("out/sweeps/tiny/sizes.csv");
  for (const char* damage : {"", "{", "[1]", "7", R"({"a": 1})", R"({"exit": 0, "inputs": {}})",
                             R"({"exit": 0, "errors": "", "arguments": [], "inputs": []})",
                             R"({"exit": 0, "errors": "", "arguments": [], "inputs": {}})"}) {
    std::size_t damaged = 0;
    for (const auto& each :
         std::filesystem::directory_iterator(folder.file("out/sweeps/tiny/points"))) {
      const std::string name = each.path().filename().string();
      if (name == ".lock" || name == "plan.json") continue;
      folder.write("out/sweeps/tiny/points/" + name, damage);
      ++damaged;
    }
    const command_result again = sizes();
    INFO(damage << "\n" << again.errors);
    CHECK(damaged == 2);
    CHECK(again.exited_with(0));
    CHECK(again.errors.find("Traceback") == std::string::npos);
    CHECK(folder.content("out/sweeps/tiny/sizes.csv") == csv);
  }
}

TEST_CASE("mistakes on the command line of a sweep are explained") {
  const scratch_folder folder;
  const auto errors = [&folder](const std::string& sweep, const std::vector<std::string>& more) {
    const command_result result = run(sweep_command(sweep, more, folder.path()));
    CHECK(result.exited_with(2));
    return result.errors;
  };
  CHECK(errors("sin.yaml", {}) ==
        "cannot read 'sin.yaml': No such file or directory (did you mean 'scin.yaml'?)\n");
  CHECK(errors("nothing.yaml", {}) == "cannot read 'nothing.yaml': No such file or directory\n");
  // All of the shipped sweep is read before this is found.
  CHECK(errors("scin.yaml", {"--only", "fig11c"}) ==
        "no figure 'fig11c' in scin (did you mean 'fig11b'?)\n");
  CHECK(errors(sweep_file, {"--jobs", "0"}).find("expected a number of at least 1, got '0'") !=
        std::string::npos);
  // A value that begins with a dash is one, in both forms.
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--with", "--partition=long"}, {"--with=--partition=long"}})
    CHECK(errors(sweep_file, options)
              .find("--with is for slurm and mpi: there is no program to take its options") !=
          std::string::npos);
  CHECK(errors(sweep_file, {"--heddle", "nowhere"}).find("cannot run 'nowhere'") !=
        std::string::npos);
}

TEST_CASE("a run of a sweep that fails names the command to repeat it") {
  const scratch_folder folder;
  const command_result result = run(sweep_command(
      sweep_file, {"--heddle", "/bin/false", "--only", "sizes", "--jobs", "1"}, folder.path()));
  CHECK(result.exited_with(1));
  CHECK(result.errors ==
        "sizes: left out 'later', pending: not yet\n"
        "run 'sizes' failed (exit code 1): to repeat it: /bin/false run ring_allreduce.yaml "
        "--set workload.algorithm=ring --set params.planes=1 --set train=1 --set params.gpus=2 "
        "--set 'workload.bytes=[1 KiB]'\n"
        "run 'sizes' failed (exit code 1): to repeat it: /bin/false run ring_allreduce.yaml "
        "--set workload.algorithm=ring --set params.planes=1 --set params.gpus=2 "
        "--set 'workload.bytes=[2 KiB]'\n"
        "2 of 2 runs failed; what is finished stays in out/sweeps/tiny/points\n");
  CHECK_FALSE(folder.has("out/sweeps/tiny/sizes.csv"));
}

TEST_CASE("a sweep that fails leaves no figures of an earlier one") {
  const scratch_folder folder;
  REQUIRE(run(sweep_command(sweep_file, {}, folder.path())).exited_with(0));
  // Those it was asked for alone, and none as long as the command is wrong.
  CHECK(run(sweep_command(sweep_file, {"--only", "size"}, folder.path())).exited_with(2));
  CHECK(folder.has("out/sweeps/tiny/sizes.csv"));
  CHECK(run(sweep_command(sweep_file, {"--heddle", "/bin/false", "--only", "sizes"}, folder.path()))
            .exited_with(1));
  CHECK_FALSE(folder.has("out/sweeps/tiny/sizes.csv"));
  CHECK_FALSE(folder.has("out/sweeps/tiny/sizes.svg"));
  CHECK(folder.has("out/sweeps/tiny/ranks.csv"));
  CHECK(folder.has("out/sweeps/tiny/ranks.svg"));
}
