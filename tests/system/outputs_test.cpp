// What a run writes besides its results: standard output that nobody can write, signals that end a
// run, and two runs that write the same file.
#include <catch2/catch.hpp>
#include <csignal>

#include "platform/run/run_directory.hpp"
#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command shell(const std::string& text, const scratch_folder& folder) {
  command line;
  line.words = {"/bin/sh", "-c", text};
  line.folder = folder.path();
  return line;
}

const std::string small_run = heddle_program() + " run " + project_file("yaml/p2p_latency.yaml");

}  // namespace

TEST_CASE("standard output that is full or closed is an error") {
  const scratch_folder folder;
  for (const std::string& what : {small_run + " --out out", heddle_program() + " models"}) {
    const command_result full = run(shell(what + " > /dev/full", folder));
    CHECK(full.exit_code == 2);
    CHECK(full.errors == "cannot write to standard output: No space left on device\n");
    const command_result closed = run(shell(what + " >&-", folder));
    CHECK(closed.exit_code == 2);
    CHECK(closed.errors == "standard output is closed\n");
  }
}

TEST_CASE("a rejected run takes away what it has made, and nothing of others") {
  const scratch_folder folder;
  {
    const run_directory alone(folder.file("new/a"));
    folder.write("new/a/stats.json.part", "");
  }
  CHECK_FALSE(folder.has("new"));
  {
    const run_directory beside_another(folder.file("out/a"));
    std::filesystem::create_directory(folder.file("out/b"));
    folder.write("out/b/stats.json", "");
  }
  CHECK_FALSE(folder.has("out/a"));
  CHECK(folder.has("out/b/stats.json"));
  { const run_directory of_an_earlier_run(folder.file("out/b")); }
  CHECK(folder.has("out/b/stats.json"));
}

TEST_CASE("a netlist is not replaced by the results of its run") {
  const scratch_folder folder;
  const std::string text = "heddle: 1\nname: lone\nunits: {memory: {type: memory, size: 4 KiB}}\n";
  folder.write("config.yaml", text);
  const command_result result = run(shell(heddle_program() + " run config.yaml --out .", folder));
  CHECK(result.exit_code == 2);
  CHECK(result.errors == ". is no directory for results: config.yaml in it is read by the run\n");
  CHECK(folder.content("config.yaml") == text);
}

TEST_CASE("an option with an empty value is refused") {
  const scratch_folder folder;
  const command_result result = run(shell(small_run + " --wave ''", folder));
  CHECK(result.exit_code == 2);
  CHECK(result.errors == "heddle run: --wave needs a value that is not empty\n");
}

TEST_CASE("integers of options are read as those of netlists") {
  const scratch_folder folder;
  const auto errors_of = [&](const std::string& words) {
    const command_result refused = run(shell(heddle_program() + " " + words, folder));
    CHECK(refused.exit_code == 2);
    return refused.errors;
  };
  CHECK(errors_of("quantize --seed -1") ==
        "heddle quantize: --seed: expected an integer, got \"-1\", which must not be negative\n");
  CHECK(errors_of("gather_laws --requests -1") ==
        "heddle gather_laws: --requests: expected an integer, got \"-1\", which must not be "
        "negative\n");
  CHECK(errors_of("quantize --ranks 010") ==
        "heddle quantize: --ranks: leading zeros are not allowed in \"010\": write 10\n");
}

TEST_CASE("waves of an unknown format are refused") {
  const scratch_folder folder;
  const command_result result = run(shell(small_run + " --wave w.fts", folder));
  CHECK(result.exit_code == 2);
  CHECK(result.errors == "w.fts: waves are .vcd or .fst files, not .fts (did you mean '.fst'?)\n");
  CHECK_FALSE(folder.has("w.fts"));
}

TEST_CASE("SIGTERM and SIGHUP end a run as SIGINT does, with its results") {
  const scratch_folder folder;
  const std::string endless = heddle_program() + " run " + project_file("yaml/scin_dgx8.yaml") +
                              " --set 'workload.bytes=1 GiB' --set data=off --set train=1"
                              " --quiet --out out";
  for (const char* name : {"INT", "TERM", "HUP"}) {
    const command_result ended = run(
        shell(endless + " & child=$!; sleep 1; kill -" + name + " $child; wait $child", folder));
    CHECK(ended.exit_code == 1);
    CHECK(ended.errors.find("failed: interrupted after ") != std::string::npos);
    CHECK(folder.has("out/stats.json"));
  }
}

// The folder for temporary files is one of the test's own.
TEST_CASE("what a signal ends leaves nothing behind") {
  const scratch_folder folder;
  const std::string netlist = project_file("yaml/scin_dgx8.yaml");
  const std::string endless =
      " --set 'workload.bytes=1 GiB' --set data=off --set train=1 --set workload.explain=off";
  const std::string outputs = " --perfetto p.json --wave w.vcd --report r.html --out out/deep";
  const auto exit_code = [&](const std::string& words, const std::string& end) {
    return run(shell("mkdir -p tmp; export TMPDIR=tmp; " + heddle_program() + words + end, folder))
        .exit_code;
  };
  const auto left = [&] { return run(shell("ls; ls tmp", folder)).output; };

  exit_code(" run " + netlist + outputs, " | true");
  CHECK(left() == "tmp\n");

  // Before the simulation begins there are no results yet.
  CHECK(exit_code(" run " + project_file("yaml/tree4096.yaml") + outputs,
                  " & child=$!; until ls p.json.* || ! kill -0 $child; do sleep 0.01; done;"
                  " kill -TERM $child; wait $child") == 128 + SIGTERM);
  CHECK(left() == "tmp\n");

  // Ctrl-\ ends a run at once. What shells start in the background ignores it.
  CHECK(run(shell("ulimit -c 0; TMPDIR=tmp timeout --preserve-status -s QUIT 1 " +
                      heddle_program() + " run " + netlist + endless + outputs,
                  folder))
            .exit_code == 128 + SIGQUIT);
  CHECK(left() == "tmp\n");

  CHECK(exit_code(" compare " + netlist + endless + " --with workload.algorithm=ring --json c.json",
                  " & child=$!; pattern=$(printf '^PPid:\\t%s$' $child);"
                  " until run=$(grep -sl \"$pattern\" /proc/[0-9]*/status) ||"
                  " ! kill -0 $child; do sleep 0.1; done;"
                  " run=${run#/proc/}; run=${run%/status}; sleep 0.5; kill -TERM $child;"
                  " wait $child; code=$?; kill $run && exit 1; exit $code") == 128 + SIGTERM);
  CHECK(left() == "tmp\n");
}

// The converter is one that takes its time.
TEST_CASE("a signal while waves are converted leaves nothing behind") {
  const scratch_folder folder;
  const command_result ended = run(shell(
      "mkdir bin; printf '#!/bin/sh\\nexec sleep 60\\n' > bin/vcd2fst; chmod +x bin/vcd2fst;"
      " PATH=$PWD/bin:$PATH " +
          small_run +
          " --wave w.fst --out out & child=$!;"
          " until [ -e w.fst.$child.vcd ] || ! kill -0 $child; do sleep 0.05; done; sleep 0.2;"
          " kill -TERM $child; wait $child",
      folder));
  CHECK(ended.exit_code == 128 + SIGTERM);
  CHECK(run(shell("ls", folder)).output == "bin\n");
}

TEST_CASE("two runs that write one file leave a whole one") {
  const scratch_folder folder;
  const std::string one = small_run + " --quiet --wave w.vcd --out ";
  REQUIRE(run(shell(one + "alone", folder)).exit_code == 0);
  const std::string alone = folder.content("w.vcd");
  REQUIRE(run(shell(one + "a & " + one + "b; wait $!", folder)).exit_code == 0);
  CHECK(folder.content("w.vcd") == alone);
}

TEST_CASE("documentation of the installed program is complete") {
  const scratch_folder folder;
  REQUIRE(run(shell(heddle_program() + " docs docs", folder)).exit_code == 0);
  const std::string page = folder.content("docs/heddle.html");
  for (const char* each :
       {"heddle run", "--wave-when", "scale_table", "leaf_spine", "id=\"isa\"",
        "id=\"packet link\"", "<code>mesh_hw</code>", "all; adds fp64, fp32, fp16, fp8"})
    CHECK(page.find(each) != std::string::npos);
  const std::string manual = folder.content("docs/man1/heddle-run.1");
  CHECK(manual.rfind(".TH heddle-run 1", 0) == 0);
  CHECK(manual.find("\\-\\-perfetto") != std::string::npos);
  const auto completed = [&](const std::string& words, int last) {
    return run(shell("bash -c '. docs/completions/heddle.bash; COMP_WORDS=(" + words +
                         "); COMP_CWORD=" + std::to_string(last) +
                         "; _heddle; echo ${COMPREPLY[*]}'",
                     folder))
        .output;
  };
  CHECK(completed("heddle run --perf", 2) == "--perfetto\n");
  CHECK(completed("heddle mmio d", 2) == "diff\n");
  CHECK(completed("heddle mmio diff --", 3) == "--ignore-time --help\n");
  CHECK(completed("heddle mmio replay --", 3) == "--set --help\n");
  const std::string zsh = folder.content("docs/completions/_heddle");
  CHECK(zsh.find("diff) options=(--help '--ignore-time:") != std::string::npos);
  CHECK(zsh.find("replay) options=(--help '--set:") != std::string::npos);
}

TEST_CASE("reports compare what synthetic traffic got through, and in which time") {
  const scratch_folder folder;
  const auto run_to = [&](const char* directory, const char* load) {
    command line = run_command(project_file("yaml/packet_traffic.yaml"), directory,
                               {{"params.load", load}, {"node[*].measure", "2 us"}});
    line.folder = folder.path();
    CHECK(run(line).exited_with(0));
    const auto stats =
        nlohmann::json::parse(folder.content(std::string(directory) + "/stats.json"));
    return stats["packet_traffic"].at(0)["accepted_Bps"].get<double>();
  };
  const double low = run_to("low", "0.2"), high = run_to("high", "0.6");
  CHECK(high > 2 * low);
  command report;
  report.words = {heddle_program(), "report", "low", "high", "--out", "both.html"};
  report.folder = folder.path();
  REQUIRE(run(report).exited_with(0));
  const std::string page = folder.content("both.html");
  CHECK_THAT(page, Catch::Contains("node[*]: accepted"));
  CHECK_THAT(page, Catch::Contains("\"0:packet_traffic[0].accepted_Bps\""));
  CHECK_THAT(page,
             Catch::Contains("\"1:packet_traffic[0].latency_s / 0:packet_traffic[0].latency_s\""));
  CHECK_THAT(page, !Catch::Contains("<td>-</td>"));
}
