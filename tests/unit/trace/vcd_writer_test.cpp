#include <catch2/catch.hpp>
#include <cstdlib>
#include <limits>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/trace/vcd_name.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/trace/windowed_sink.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

enum class dma_state { idle, fetch, wait_credit };
const trace_states dma_states{"IDLE", "FETCH", "WAIT CREDIT"};

// One signal of each kind; the wave has two windows, so every kind of dump is in it.
void write_sample(const std::string& path) {
  vcd_writer writer(path);
  windowed_sink windowed(writer);
  windowed.add_window(0, 50 * fs_per_ns);
  windowed.add_window(60 * fs_per_ns, fs_never);
  trace_stream stream;
  stream.add_sink(windowed);
  const trace_scope gpu(stream, "gpu[0]");
  const trace_scope dma = gpu.child("dma");
  const auto state = dma.state<dma_state>("state", dma_states);
  const auto count = dma.vector("count", 12);
  const auto address = dma.vector("address", 64);
  const auto busy = gpu.child("port[3]").bit("busy");
  const auto credits = gpu.integer("credits");
  const auto load = gpu.real("load");
  const auto function = gpu.child("core").text("function");

  state.set(dma_state::idle, 0);
  busy.set(false, 0);
  count.set(5, 10 * fs_per_ns);
  state.set(dma_state::wait_credit, 20 * fs_per_ns, 10 * fs_per_ns);
  state.set(static_cast<dma_state>(17), 30 * fs_per_ns, 10 * fs_per_ns);
  address.set(0x8000'0000'0000'0001, 11 * fs_per_ns);
  busy.set(true, 12 * fs_per_ns);
  credits.set(-3, 13 * fs_per_ns);
  load.set(0.25, 14 * fs_per_ns);
  load.set(std::numeric_limits<double>::infinity(), 15 * fs_per_ns);
  function.set("reduce scatter\t\"\\x\"", 16 * fs_per_ns);
  function.set(std::string(500, 'f'), 17 * fs_per_ns);
  count.set(0, 55 * fs_per_ns);
  stream.finish(70 * fs_per_ns);
}

std::string values_of(const vcd_wave& wave, const std::string& name) {
  std::string text;
  for (const vcd_value& value : wave.values) {
    if (value.name == name) {
      text += std::to_string(value.when / fs_per_ns) + "=" + value.value + " ";
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a VCD file holds every kind of signal in its scope", "[trace]") {
  const scratch_folder folder;
  write_sample(folder.file("sample.vcd"));
  const vcd_wave wave = read_vcd(folder.file("sample.vcd"));
  CHECK(wave.version == "Heddle");
  CHECK(wave.timescale == "1 fs");
  CHECK(wave.end == 70 * fs_per_ns);
  REQUIRE(wave.variables.size() == 7);
  CHECK(wave.variables[0] == vcd_variable{"gpu_0.credits", "integer", 64});
  CHECK(wave.variables[2] == vcd_variable{"gpu_0.dma.state", "string", 1});
  CHECK(wave.variables[3] == vcd_variable{"gpu_0.dma.count", "wire", 12});
  CHECK(wave.variables[5] == vcd_variable{"gpu_0.port_3.busy", "wire", 1});

  CHECK(values_of(wave, "gpu_0.dma.state") == "0=IDLE 20=WAIT CREDIT 30=? 50= 60=? ");
  CHECK(values_of(wave, "gpu_0.dma.count") == "0=x 10=101 50=x 60=0 ");
  CHECK(values_of(wave, "gpu_0.port_3.busy") == "0=0 12=1 50=x 60=1 ");
  CHECK(values_of(wave, "gpu_0.load") == "0=nan 14=0.25 15=inf 50=nan 60=inf ");
  const std::string ones(62, '1');
  CHECK(values_of(wave, "gpu_0.credits") == "0=x 13=" + ones + "01 50=x 60=" + ones + "01 ");
  const std::string zeros(62, '0');
  CHECK(values_of(wave, "gpu_0.dma.address") == "0=x 11=1" + zeros + "1 50=x 60=1" + zeros + "1 ");
  const std::string long_name(500, 'f');
  CHECK(values_of(wave, "gpu_0.core.function") ==
        "0= 16=reduce scatter\t\"\\x\" 17=" + long_name + " 50= 60=" + long_name + " ");
}

TEST_CASE("a writer knows the first and the last instant of its file", "[trace]") {
  const scratch_folder folder;
  vcd_writer writer(folder.file("w.vcd"));
  windowed_sink windowed(writer);
  windowed.add_window(20, 30);
  windowed.add_window(40, 50);
  trace_stream stream;
  stream.add_sink(windowed);
  const auto busy = trace_scope(stream, "dma").bit("busy");
  busy.set(false, 0);
  busy.set(true, 60);
  stream.finish(70);
  CHECK(writer.first_time() == 20);
  CHECK(writer.last_time() == 50);
}

TEST_CASE("equal runs give identical files", "[trace]") {
  const scratch_folder folder;
  write_sample(folder.file("first.vcd"));
  write_sample(folder.file("second.vcd"));
  CHECK(folder.content("first.vcd") == folder.content("second.vcd"));
  CHECK(folder.content("first.vcd").find("$date") == std::string::npos);
}

TEST_CASE("vcd2fst takes the file", "[trace]") {
  if (std::system("command -v vcd2fst >/dev/null") != 0) {
    WARN("skipped: vcd2fst (Debian package gtkwave) is not installed");
    return;
  }
  const scratch_folder folder;
  write_sample(folder.file("sample.vcd"));
  const std::string convert = "vcd2fst " + folder.file("sample.vcd") + " " +
                              folder.file("sample.fst") + " >" + folder.file("log") + " 2>&1";
  CHECK(std::system(convert.c_str()) == 0);
  CHECK(folder.content("log").empty());
  CHECK(folder.has("sample.fst"));
  if (std::system("command -v fst2vcd >/dev/null") != 0) return;

  // And says the same afterwards: strings come back with their escapes.
  const std::string back =
      "fst2vcd " + folder.file("sample.fst") + " >" + folder.file("back.vcd") + " 2>/dev/null";
  REQUIRE(std::system(back.c_str()) == 0);
  CHECK(folder.content("back.vcd").find("sWAIT\\040CREDIT ") != std::string::npos);
  CHECK(folder.content("back.vcd").find("sreduce\\040scatter") != std::string::npos);
}

TEST_CASE("names are spelled so that GTKWave takes them", "[trace]") {
  CHECK(vcd_scopes("gpu[0].port[3]") == std::vector<std::string>{"gpu_0", "port_3"});
  CHECK(vcd_scopes("router[1][2]") == std::vector<std::string>{"router_1_2"});
  CHECK(vcd_scopes("$top") == std::vector<std::string>{"_top"});
  CHECK(vcd_leaf("a.b[2]") == "a_b_2");
  CHECK(gtkwave_name({"gpu[0]", "n", trace_kind::vector, 8, {}}) == "gpu_0.n[7:0]");
  CHECK(gtkwave_name({"gpu[0]", "n", trace_kind::vector, 1, {}}) == "gpu_0.n");
  CHECK(gtkwave_name({"gpu[0]", "n", trace_kind::integer, 64, {}}) == "gpu_0.n");
  CHECK(vcd_identifier(0) == "!");
  CHECK(vcd_identifier(93) == "~");
  CHECK(vcd_identifier(94) == "!!");
  CHECK(vcd_identifier(94 + 94 * 94) == "!!!");
  CHECK(vcd_string("a b\n\\") == "a\\040b\\012\\\\");
}

TEST_CASE("signals that VCD cannot tell apart are refused", "[trace]") {
  const scratch_folder folder;
  vcd_writer writer(folder.file("clash.vcd"));
  trace_stream stream;
  stream.add_sink(writer);
  trace_scope(stream, "gpu[0]").bit("busy");
  trace_scope(stream, "gpu_0").bit("busy");
  CHECK_THROWS_AS(stream.finish(1), user_error);
}
