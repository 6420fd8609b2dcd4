#include "platform/trace/triggered_sink.hpp"

#include <catch2/catch.hpp>

#include "platform/text/diagnostic.hpp"
#include "platform/trace/trace_scope.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

enum class mode : std::uint64_t { idle, run, error };

// What a sink behind that trigger is told of a stream.
struct triggered_recording {
  explicit triggered_recording(const trace_trigger& when) : sink(inner, when) {
    stream.add_sink(sink);
  }
  recording_sink inner;
  triggered_sink sink;
  trace_stream stream;
};

// A counter that changes at 10, 20, 30, ... and a state that is ERROR from 50 until 70.
std::vector<std::string> recorded(const std::string& trigger, fs_t before, fs_t after) {
  trace_trigger when = parse_trigger(trigger);
  when.before = before;
  when.after = after;
  triggered_recording recording(when);
  const trace_scope scope(recording.stream, "dma");
  const auto state = scope.state<mode>("state", {"IDLE", "RUN", "ERROR"});
  const auto count = scope.vector("count", 16);
  state.set(mode::idle, 0);
  count.set(0, 0);
  for (fs_t t = 10; t <= 100; t += 10) {
    count.set(t / 10, t);
    if (t == 50) state.set(mode::error, t);
    if (t == 70) state.set(mode::run, t);
  }
  recording.stream.finish(100);
  return recording.inner.lines;
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("what is recorded begins and ends with the trigger", "[trace]") {
  CHECK(recorded("dma.state == ERROR", 0, 0) ==
        lines{"50 open 2 5", "60 count=6", "70 close", "finish"});
}

TEST_CASE("a while before and after belongs to it", "[trace]") {
  CHECK(recorded("dma.state == ERROR", 25, 15) ==
        lines{"25 open 0 2", "30 count=3", "40 count=4", "50 count=5", "50 state=2", "60 count=6",
              "70 count=7", "70 state=1", "80 count=8", "85 close", "finish"});
}

TEST_CASE("a trigger compares numbers, and may fire again", "[trace]") {
  CHECK(recorded("dma.count >= 9", 0, 0) ==
        lines{"90 open 1 9", "100 count=10", "100 close", "finish"});
  CHECK(recorded("dma.count >= 0xA", 0, 0) == lines{"100 open 1 10", "100 close", "finish"});
  const lines odd = recorded("dma.count != 4", 0, 0);
  CHECK(odd[0] == "0 open 0 0");
  CHECK(odd[4] == "40 close");
  CHECK(odd[5] == "50 open 2 5");
}

TEST_CASE("a trigger compares integers of 64 bits exactly", "[trace]") {
  constexpr std::uint64_t value = (std::uint64_t{1} << 53) + 1;  // no double
  const auto fires = [](const std::string& trigger) {
    triggered_recording recording(parse_trigger(trigger));
    const auto address = trace_scope(recording.stream, "dma").vector("address", 64);
    address.set(value, 10);
    recording.stream.finish(20);
    return recording.inner.lines.size() > 1;
  };
  CHECK(fires("dma.address == 9007199254740993"));
  CHECK(fires("dma.address == 0x20000000000001"));
  CHECK(fires("dma.address > 9007199254740992"));
  CHECK(fires("dma.address > 9007199254740992.0"));
  CHECK(fires("dma.address < 99999999999999999999"));
  CHECK(!fires("dma.address == 9007199254740992"));
  CHECK(!fires("dma.address >= 0x20000000000002"));
  CHECK(!fires("dma.address < 9007199254740993"));
}

TEST_CASE("a trigger on several signals holds while one of them has the value", "[trace]") {
  triggered_recording recording(parse_trigger("job[*].running == allreduce[1..2]*"));
  const auto first = trace_scope(recording.stream, "job[0]").text("running");
  const auto second = trace_scope(recording.stream, "job[1]").text("running");
  first.set("", 0);
  second.set("", 0);
  first.set("allreduce[1] ring", 10);
  second.set("allreduce[2] ring", 20);
  first.set("", 30);
  second.set("allreduce[3] ring", 40);
  first.set("allreduce[1] ring", 50);
  recording.stream.finish(60);
  CHECK(recording.inner.lines == lines{"10 open 1 0", "20 running=2", "30 running=0", "40 close",
                                       "50 open 1 3", "60 close", "finish"});
}

TEST_CASE("no glob means an empty text", "[trace]") {
  triggered_recording recording(parse_trigger("job.running == *"));
  const auto running = trace_scope(recording.stream, "job").text("running");
  running.set("", 0);
  running.set("barrier[0]", 20);
  recording.stream.finish(30);
  CHECK(recording.inner.lines == lines{"20 open 1", "30 close", "finish"});
}

TEST_CASE("a trigger that never fires records nothing", "[trace]") {
  CHECK(recorded("dma.count > 1000", 5, 5) == lines{"finish"});
}

TEST_CASE("mistakes in triggers are told", "[trace]") {
  const std::vector<trace_declaration> signals = {
      {"dma", "state", trace_kind::state, 64, {"IDLE", "ERROR"}},
      {"dma", "count", trace_kind::vector, 16, {}}};
  const auto message = [&](const std::string& text) -> std::string {
    try {
      check_trigger(parse_trigger(text), signals);
    } catch (const user_error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(message("dma.state == ERROR").empty());
  CHECK(message("dma.stat == ERROR") ==
        "--wave-when 'dma.stat == ERROR': no signal 'dma.stat' is traced (did you mean "
        "'dma.state'?)");
  CHECK(message("dma.state == EROR") ==
        "--wave-when 'dma.state == EROR': dma.state has no value 'EROR' (did you mean 'ERROR'?)");
  CHECK(message("dma.state < ERROR").find("compare them by == or !=") != std::string::npos);
  CHECK(message("dma.count == many").find("'many' is none") != std::string::npos);
  CHECK(message("dma.count >= 0x1000020000").empty());
  CHECK(message("dma.count == 0xyz").find("'0xyz' is none") != std::string::npos);
  CHECK(message("dma.count").find("expected SIGNAL == VALUE") != std::string::npos);
  CHECK(message("== 3").find("expected SIGNAL == VALUE") != std::string::npos);
}
