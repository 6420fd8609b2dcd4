// Waves of a run: the strict reader and the FST converter accept them, windows and signals hold.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

const settings small = {{"params.gpus", "2"}, {"workload.bytes", "64 KiB"}};

heddle_run run_with_waveforms(const scratch_folder& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--wave", folder.file("w.vcd")});
  return heddle_run(project_file("yaml/ring_allreduce.yaml"), small, more);
}

bool has(const vcd_wave& wave, const std::string& name) {
  return std::any_of(wave.variables.begin(), wave.variables.end(),
                     [&](const vcd_variable& each) { return each.name == name; });
}

// What a signal says after the start, one value a change.
std::vector<std::pair<std::uint64_t, std::string>> changes_of(const vcd_wave& wave,
                                                              const std::string& name) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const vcd_value& each : wave.values)
    if (each.name == name && each.origin == vcd_origin::change)
      found.emplace_back(each.when, each.value);
  return found;
}

// Whether the signal has that value at any time.
bool ever_says(const vcd_wave& wave, const std::string& name, const std::string& value) {
  const auto changes = changes_of(wave, name);
  return std::any_of(changes.begin(), changes.end(),
                     [&](const auto& each) { return each.second == value; });
}

}  // namespace

TEST_CASE("waves of a run can be read") {
  const scratch_folder folder;
  const heddle_run run = run_with_waveforms(folder);
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  CHECK(has(wave, "gpu_0.cp.activity"));
  CHECK(has(wave, "gpu_1.dma.channel_0"));
  CHECK(has(wave, "nvs_3.port_1.queue"));
  CHECK(wave.timescale == "1 fs");
  // A page more than the run, so that GTKWave can scroll to the collective.
  CHECK(static_cast<double>(wave.end) >= run.stats()["simulated_s"].get<double>() * 1e15);
  CHECK(folder.content("w.gtkw").find("w.vcd") != std::string::npos);
}

TEST_CASE("waves go through a pipe, beside which there is no save file") {
  const scratch_folder folder;
  const heddle_run to_file = run_with_waveforms(folder);
  command piped = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"), small);
  piped.words.insert(piped.words.end(), {"--wave", "pipe"});
  piped.words.erase(std::find(piped.words.begin(), piped.words.end(), "--quiet"));
  std::string words;
  for (const std::string& each : piped.words) words += " '" + each + "'";
  piped.words = {"bash", "-c", "mkfifo pipe; timeout 20 cat pipe > got.vcd &" + words + " && wait"};
  piped.folder = folder.path();
  const command_result result = run(piped);
  INFO(result.errors);
  CHECK(result.exited_with(0));
  CHECK_THAT(result.output, Catch::Contains("waves: pipe\n"));
  CHECK(folder.content("got.vcd") == folder.content("w.vcd"));
  CHECK_FALSE(folder.has("pipe.gtkw"));
}

TEST_CASE("waves are written for the window and the signals that were asked for") {
  const scratch_folder folder;
  const heddle_run run =
      run_with_waveforms(folder, {"--wave-window", "4 us..6 us", "--wave-signals", "gpu[0].*"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  CHECK(has(wave, "gpu_0.cp.activity"));
  CHECK_FALSE(has(wave, "gpu_1.cp.activity"));
  std::size_t changes = 0;
  for (const vcd_value& each : wave.values) {
    if (each.origin != vcd_origin::change) continue;
    CHECK(each.when >= 4'000'000'000);
    CHECK(each.when <= 6'000'000'000);
    ++changes;
  }
  CHECK(changes > 0);
}

TEST_CASE("registers in waves: fields with names are states") {
  const scratch_folder folder;
  const heddle_run run =
      run_with_waveforms(folder, {"--wave-registers", "gpu[0].dma.channel[0].*", "--wave-registers",
                                  "gpu[0].vector.*", "--wave-registers", "gpu[0].dma.*.status"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  // The unit traces the same state by itself.
  const auto states = changes_of(wave, "gpu_0.dma.registers.channel_0.status_state");
  CHECK(states.size() >= 4);
  CHECK(states == changes_of(wave, "gpu_0.dma.channel_0"));
  bool has_run = false;
  for (const auto& [when, value] : states) has_run = has_run || value == "RUN";
  CHECK(has_run);
  const auto dtypes = changes_of(wave, "gpu_0.vector.registers.operation_dtype");
  for (const auto& [when, value] : dtypes) CHECK(value == "FP16");
  // Free-running: every doorbell is higher than the one before, the last is reached in the end.
  const auto doorbells = changes_of(wave, "gpu_0.dma.registers.channel_0.doorbell");
  REQUIRE(!doorbells.empty());
  CHECK(changes_of(wave, "gpu_0.dma.registers.channel_0.completed").back().second ==
        doorbells.back().second);
  CHECK_FALSE(has(wave, "gpu_1.vector.registers.source"));
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("@22\n[color] 3\n+{dma/registers/channel[0]/ring_base} ") != std::string::npos);
  CHECK(save.find("+{vector/registers/id} ") != std::string::npos);  // though it keeps its value
}

TEST_CASE("a glob that matches no register is a mistake") {
  const scratch_folder folder;
  const heddle_run run = run_with_waveforms(folder, {"--wave-registers", "gpu[0].dna.*"});
  CHECK(run.result().exited_with(2));
  CHECK(run.result().errors.find("no register matches 'gpu[0].dna.*' (did you mean "
                                 "'gpu[0].dma.*'?)") != std::string::npos);
}

TEST_CASE("waves change no result") {
  const scratch_folder folder;
  const heddle_run with = run_with_waveforms(folder);
  const heddle_run without(project_file("yaml/ring_allreduce.yaml"), small);
  CHECK(with.stats() == without.stats());
}

TEST_CASE(
    "a wave of some signals in a window cuts nothing from the report and from Perfetto's file") {
  const scratch_folder folder;
  const auto recorded = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--report", folder.file(name + ".html"), "--perfetto",
                                      folder.file(name + ".json")};
    words.insert(words.end(), more.begin(), more.end());
    const heddle_run run(project_file("yaml/ring_allreduce.yaml"), small, words);
    INFO(run.report());
    REQUIRE(run.is_verified());
    return run.folder().content("out/report.json");
  };
  // One event a line; those that end with the run may come in another order.
  const auto events_of = [&](const std::string& name) {
    std::istringstream text(folder.content(name + ".json"));
    std::multiset<std::string> events;
    for (std::string line; std::getline(text, line);)
      events.insert(line.back() == ',' ? line.substr(0, line.size() - 1) : line);
    return events;
  };
  const std::string alone = recorded("alone", {});
  const auto events = events_of("alone");
  CHECK(events.size() > 300);
  const std::string wave = folder.file("w.vcd");
  CHECK(recorded("wave", {"--wave", wave}) == alone);
  CHECK(events_of("wave") == events);
  const std::string cut =
      recorded("cut", {"--wave", wave, "--wave-window", "2 us..3 us", "--wave-signals", "gpu[0].*",
                       "--wave-registers", "gpu[0].dma.*"});
  CHECK(cut == alone);
  CHECK(events_of("cut") == events);
  const vcd_wave written = read_vcd(wave);
  CHECK(has(written, "gpu_0.cp.activity"));
  CHECK(has(written, "gpu_0.dma.registers.channel_0.doorbell"));
  CHECK_FALSE(has(written, "gpu_1.cp.activity"));
  CHECK(written.values.front().when == 2'000'000'000);
  CHECK(written.end == 3'000'000'000);
}

TEST_CASE("a pattern that matches no signal is told, also where others record the run") {
  const scratch_folder folder;
  const std::vector<std::string> words = {"--wave-signals", "gpu[0].*", "--wave-signals", "gqu*"};
  std::vector<std::string> shared = words;
  shared.insert(shared.end(), {"--perfetto", folder.file("p.json")});
  for (const std::vector<std::string>& each : {words, shared}) {
    const heddle_run run = run_with_waveforms(folder, each);
    CHECK(run.result().exited_with(2));
    CHECK(run.result().errors.find("no signal matches 'gqu*'") != std::string::npos);
  }
}

TEST_CASE("patterns that take all signals away are told as one that matches none") {
  const scratch_folder folder;
  for (const std::vector<std::string>& each :
       {std::vector<std::string>{"--wave-signals", "!*"},
        {"--wave-signals", "!*", "--perfetto", folder.file("p.json")},
        {"--wave-signals", "gpu*", "--wave-signals", "!*"}}) {
    const heddle_run run = run_with_waveforms(folder, each);
    INFO(run.report());
    CHECK(run.result().exited_with(2));
    CHECK(run.result().errors.find("no signal matches '") == 0);
    CHECK(run.result().errors.find("!*'") != std::string::npos);
    CHECK_FALSE(folder.has("w.vcd"));
  }
  CHECK(
      run_with_waveforms(folder, {"--wave-signals", "!*", "--wave-signals", "gpu*"}).is_verified());
}

namespace {

// What a save file says of the time that it shows; GTKWave shows 200 pixels for 2^-zoom fs.
struct shown_time {
  explicit shown_time(const std::string& save) {
    const auto behind = [&](const std::string& sign) {
      return save.substr(save.find(sign) + sign.size());
    };
    start = std::stod(behind("[timestart] "));
    std::istringstream times(behind("\n*"));
    double zoom = 0, nameless = 0;
    times >> zoom >> nameless >> marker_a >> marker_b;
    end = start + 1020.0 / 200 * std::exp2(-zoom);
  }
  double start = 0, end = 0;
  double marker_a = 0, marker_b = 0;
};

}  // namespace

TEST_CASE("the save file of a run that is ended early opens on the job that was running") {
  const scratch_folder folder;
  const heddle_run run = run_with_waveforms(folder, {"--until", "6 us"});
  INFO(run.report());
  REQUIRE(run.result().exited_with(1));
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  const auto running = changes_of(wave, "workload.running");
  REQUIRE(running.size() == 1);
  const auto began = static_cast<double>(running.front().first);
  const auto end = static_cast<double>(wave.end);
  CHECK(end <= 6e9);
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("[markername] Aallreduce[0] ring 64 KiB start\n") != std::string::npos);
  CHECK(save.find("[markername] B") == std::string::npos);
  const shown_time shown(save);
  CHECK(shown.marker_a == began);
  CHECK(shown.marker_b == -1);
  CHECK(shown.start < began);
  CHECK(shown.start > began - (end - began) / 2);
  CHECK(shown.end < end);
  CHECK(shown.end > end - (end - began) / 10);
}

TEST_CASE("a job that was running is marked also where its title is not traced") {
  const scratch_folder folder;
  const heddle_run run =
      run_with_waveforms(folder, {"--until", "6 us", "--wave-signals", "gpu[0].*"});
  REQUIRE(run.result().exited_with(1));
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("[markername] Aworkload start\n") != std::string::npos);
  CHECK(shown_time(save).marker_a > 1e9);
}

TEST_CASE("the save file of a run without jobs shows all of it") {
  const scratch_folder folder;
  const std::string netlist = GENERATE("packet_traffic.yaml", "torus_traffic.yaml");
  const heddle_run run(project_file("yaml/" + netlist), {}, {"--wave", folder.file("w.vcd")});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const auto end = static_cast<double>(read_vcd(folder.file("w.vcd")).end);
  const shown_time shown(folder.content("w.gtkw"));
  CHECK(shown.start == 0);
  CHECK(shown.end > end);
  CHECK(shown.end < 1.2 * end);
  CHECK(shown.marker_a == -1);
}

TEST_CASE("waves can be converted for GTKWave") {
  command converter;
  converter.words = {"vcd2fst", "w.vcd", "w.fst"};
  const scratch_folder folder;
  converter.folder = folder.path();
  const heddle_run waves = run_with_waveforms(folder);
  REQUIRE(waves.is_verified());
  const command_result result = run(converter);
  constexpr int not_found = 127;
  if (result.exit_code == not_found) return;
  INFO(result.output << result.errors);
  CHECK(result.exited_with(0));
  CHECK(folder.content("w.fst").size() > 100);
}

TEST_CASE("waves of one job among others") {
  const scratch_folder folder;
  const heddle_run run(
      project_file("yaml/ring_allreduce.yaml"),
      {{"params.gpus", "2"}, {"workload.bytes", "[1 KiB, 2 KiB, 4 KiB]"}},
      {"--wave", folder.file("w.vcd"), "--wave-job", "allreduce[1]", "--wave-before", "100 ns"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const auto job = run.stats()["collectives"][1];
  const auto femtoseconds = [](const nlohmann::json& s) {
    return static_cast<std::uint64_t>(std::llround(s.get<double>() * 1e15));
  };
  const std::uint64_t start = femtoseconds(job["start_s"]), end = femtoseconds(job["end_s"]);
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  REQUIRE_FALSE(wave.values.empty());
  CHECK(wave.values.front().when == start - 100'000'000);
  CHECK(wave.end == end);
  const auto running = changes_of(wave, "workload.running");
  REQUIRE(running.size() == 1);
  CHECK(running.front() == std::make_pair(start, std::string("allreduce[1] ring 2 KiB")));
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("[markername] Aallreduce[1] ring 2 KiB start\n") != std::string::npos);
  CHECK(save.find("[markername] C") == std::string::npos);
}

TEST_CASE("a job that never runs leaves no waves") {
  const scratch_folder folder;
  const heddle_run run = run_with_waveforms(folder, {"--wave-job", "*scin*"});
  CHECK(run.is_verified());
  CHECK(run.result().errors ==
        "warning: no wave: nothing in this run matched --wave-job '*scin*'\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("w.vcd")));
}

TEST_CASE("a job outside of the window leaves no waves, and is not said to have never run") {
  const scratch_folder folder;
  const heddle_run run =
      run_with_waveforms(folder, {"--wave-job", "allreduce[0]", "--wave-window", "0 s..1 ns"});
  CHECK(run.is_verified());
  CHECK(run.result().errors ==
        "warning: no wave: --wave-job 'allreduce[0]' and the wave window never held together\n");
  CHECK_FALSE(folder.has("w.vcd"));
}

TEST_CASE("waves of a window beside the collective open on the window") {
  const scratch_folder folder;
  CHECK(run_with_waveforms(folder, {"--wave-window", "1 us..2 us"}).is_verified());
  const shown_time shown(folder.content("w.gtkw"));
  CHECK(shown.start == 1e9);
  CHECK(shown.end >= 2e9);
  CHECK(shown.marker_a > 2e9);
}

TEST_CASE("a window that never opens leaves no waves, nor those of an earlier run") {
  const scratch_folder folder;
  CHECK(run_with_waveforms(folder, {}).is_verified());
  CHECK(folder.has("w.gtkw"));
  const heddle_run run = run_with_waveforms(folder, {"--wave-window", "1 s..2 s"});
  CHECK(run.is_verified());
  CHECK(run.result().errors.find("warning: no wave: its window never opened, the run ended at ") ==
        0);
  CHECK_FALSE(std::filesystem::exists(folder.file("w.vcd")));
  CHECK_FALSE(folder.has("w.gtkw"));
}

TEST_CASE("waves as FST, where its converter is installed") {
  const scratch_folder folder;
  command converter;
  converter.words = {"vcd2fst", "--help"};
  constexpr int not_found = 127;
  const bool is_installed = run(converter).exit_code != not_found;
  const heddle_run waves(project_file("yaml/ring_allreduce.yaml"), small,
                         {"--wave", folder.file("w.fst")});
  INFO(waves.report());
  CHECK(waves.result().exited_with(is_installed ? 0 : 2));
  if (!is_installed) return;
  CHECK(folder.content("w.fst").size() > 100);
  CHECK(folder.content("w.gtkw").find("[dumpfile] \"w.fst\"") != std::string::npos);
  CHECK(folder.content("w.fst").find("simulated") != std::string::npos);  // instead of today
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder.path()))
    files += each.exists();
  CHECK(files == 2);
}

TEST_CASE("both directions of a wire are in waves, with destination and bytes") {
  const scratch_folder folder;
  const heddle_run run(project_file("yaml/scin_dgx8.yaml"),
                       {{"workload.algorithm", "scin"}, {"workload.bytes", "64 KiB"}},
                       {"--wave", folder.file("w.vcd")});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  const auto says = [&](const std::string& name, const std::string& value) {
    return ever_says(wave, name, value);
  };
  // The accelerator in the switch reads from every GPU, reduces, and broadcasts the result.
  for (const char* port : {"port_0", "port_7"}) {
    const std::string out = std::string("nvs_2.core.") + port;
    for (const char* kind : {"READ_REQUEST", "WRITE_REQUEST", "IDLE"})
      CHECK(says(out + ".wire", kind));
    CHECK(says(out + ".destination", port == std::string("port_0") ? "gpu[0].ni" : "gpu[7].ni"));
    CHECK(changes_of(wave, out + ".bytes").size() == changes_of(wave, out + ".wire").size());
    // 64 KiB over four switches are four waves of 4 KiB each.
    for (const char* step : {"1", "2", "3", "4"}) CHECK(says(out + ".step", step));
    CHECK_FALSE(says(out + ".step", "5"));
  }
  CHECK(says("gpu_3.ni.port_2.wire", "READ_RESPONSE"));
  CHECK(says("gpu_3.ni.port_2.destination", "nvs[2].isa"));
  // No job: no number.
  for (const auto& [when, job] : changes_of(wave, "gpu_3.cp.job"))
    CHECK((job == "0" || job.empty()));
  const std::string save = folder.content("w.gtkw");
  CHECK(save.find("[markername] Aallreduce[0] scin 64 KiB start\n") != std::string::npos);
  CHECK(save.find("@88024\n[color] 3\n+{isa/table_0} nvs_0.isa.table_0[7:0]\n") !=
        std::string::npos);
}

namespace {

// Seconds in which the wire of a port carries packets.
double shown_busy(const vcd_wave& wave, const std::string& name) {
  std::uint64_t busy = 0, since = 0;
  bool is_busy = false;
  for (const auto& [when, state] : changes_of(wave, name)) {
    if (is_busy) busy += when - since;
    since = when;
    is_busy = state != "IDLE" && state != "NO_CREDITS";
  }
  CHECK_FALSE(is_busy);
  return static_cast<double>(busy) * 1e-15;
}

}  // namespace

// Packets that come in slowly are stretched on a fast wire, which carries those of other virtual
// channels meanwhile.
TEST_CASE("a wire is shown as long as its packets occupy it, also behind a slower one") {
  const scratch_folder folder;
  const std::string netlist = folder.write("slower.yaml", R"(heddle: 1
name: slower
units:
  gpu: {array: 4, index: g, use: units/accelerator.yaml, number: "${g}", planes: 1}
  nvs: {type: switch, ports: 4}
links:
  - {for: {g: 2}, between: ["gpu[g].port[0]", "nvs.port[g]"], bandwidth: 20 GB/s, latency: 300 ns}
  - {for: {g: 2}, between: ["gpu[g+2].port[0]", "nvs.port[g+2]"], bandwidth: 100 GB/s, latency: 300 ns}
workload: {collective: alltoall, algorithm: direct, dtype: fp32, bytes: 16 KiB}
)");
  const heddle_run run(netlist, {}, {"--wave", folder.file("w.vcd")});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  std::istringstream rows(run.folder().content("out/links.csv"));
  std::string row;
  int ports = 0;
  while (std::getline(rows, row)) {
    std::vector<std::string> cells;
    std::istringstream line(row);
    for (std::string cell; std::getline(line, cell, ',');) cells.push_back(cell);
    if (cells[0].rfind("nvs.port[", 0) != 0) continue;
    const std::string wire = "nvs.port_" + cells[0].substr(9, 1) + ".wire";
    INFO(wire);
    CHECK(shown_busy(wave, wire) == Approx(std::stod(cells[7])).epsilon(1e-9));
    ++ports;
  }
  CHECK(ports == 4);
}

TEST_CASE("waves are written only around a trigger, and in several windows") {
  const scratch_folder folder;
  const std::string start = "gpu[0].dma.channel_0 == FENCE";
  const heddle_run run = run_with_waveforms(
      folder, {"--wave-when", start, "--wave-before", "10 ns", "--wave-after", "20 ns"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  CHECK(wave.values.size() > 100);
  const scratch_folder other;
  const heddle_run windows =
      run_with_waveforms(other, {"--wave-window", "6 us..7 us", "--wave-window", "4 us..5 us"});
  REQUIRE(windows.is_verified());
  std::size_t earlier = 0, later = 0;
  for (const vcd_value& each : read_vcd(other.file("w.vcd")).values) {
    if (each.origin != vcd_origin::change) continue;
    const bool is_earlier = each.when >= 4'000'000'000 && each.when < 5'000'000'000;
    const bool is_later = each.when >= 6'000'000'000 && each.when < 7'000'000'000;
    CHECK((is_earlier || is_later));
    ++(is_earlier ? earlier : later);
  }
  CHECK(earlier > 0);
  CHECK(later > 0);
  const scratch_folder none;
  const heddle_run never =
      run_with_waveforms(none, {"--wave-when", "gpu[0].dma.channel_0 == ERROR"});
  REQUIRE(never.is_verified());
  CHECK_FALSE(none.has("w.vcd"));
}

TEST_CASE("waves of a mesh say what an interface does and who has the FPUs") {
  const scratch_folder folder;
  const heddle_run run(project_file("yaml/mesh_tiles.yaml"),
                       {{"params.width", "2"},
                        {"params.height", "2"},
                        {"workload.bytes", "1 KiB"},
                        {"workload.collective", "allreduce"},
                        {"workload.algorithm", "[mesh_tree, mesh_hw]"}},
                       {"--wave", folder.file("w.vcd")});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  const auto says = [&](const std::string& name, const std::string& value) {
    return ever_says(wave, name, value);
  };
  for (const char* state : {"SEND", "SERVE", "WAIT_RESPONSE", "IDLE"})
    CHECK(says("tile_0.ni.state", state));
  for (const char* owner : {"ROUTER", "STREAM", "IDLE"})
    CHECK(says("tile_0.routers.fpu.owner", owner));
  for (const char* operation : {"SelectAW", "FP64 add", ""})
    CHECK(says("tile_0.routers.wide.operation", operation));
  CHECK(changes_of(wave, "tile_0.ni.bursts").size() > 2);
}
