#include "platform/trace/windowed_sink.hpp"

#include <catch2/catch.hpp>

#include <utility>

#include "platform/trace/trace_scope.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

using lines = std::vector<std::string>;

using windows = std::vector<std::pair<fs_t, fs_t>>;

struct windowed_unit {
  explicit windowed_unit(const windows& wanted) : sink(inner) {
    for (const auto& [from, to] : wanted) sink.add_window(from, to);
    stream.add_sink(sink);
    const trace_scope scope(stream, "dma");
    count = scope.vector("count", 16);
    busy = scope.bit("busy");
  }

  recording_sink inner;
  windowed_sink sink;
  trace_stream stream;
  trace_signal<std::uint64_t> count;
  trace_signal<bool> busy;
};

// A counter that changes at 10, 20, ... 100, and a bit that is set at 0 and stays so.
struct windowed_recording : windowed_unit {
  explicit windowed_recording(const windows& wanted) : windowed_unit(wanted) {
    busy.set(true, 0);
    for (fs_t t = 0; t <= 100; t += 10) count.set(t / 10, t);
  }
};

lines recorded(const windows& wanted, fs_t end) {
  windowed_recording recording(wanted);
  recording.stream.finish(end);
  return recording.inner.lines;
}

}  // namespace

TEST_CASE("of a sink's window the first instant is in the opening values", "[trace]") {
  CHECK(recorded({{20, 50}}, 100) ==
        lines{"20 open 2 1", "30 count=3", "40 count=4", "50 close", "finish"});
  CHECK(recorded({{25, 35}}, 100) == lines{"25 open 2 1", "30 count=3", "35 close", "finish"});
  CHECK(recorded({{0, 20}}, 100) == lines{"0 open 0 1", "10 count=1", "20 close", "finish"});
}

TEST_CASE("a window opens and closes while nothing changes", "[trace]") {
  CHECK(recorded({{41, 49}}, 100) == lines{"41 open 4 1", "49 close", "finish"});
  CHECK(recorded({{200, 300}}, 250) == lines{"200 open 10 1", "250 close", "finish"});
}

TEST_CASE("a window opens with unknown values where nobody has set the signal", "[trace]") {
  windowed_unit unit({{20, 40}});
  SECTION("one of them") {
    unit.count.set(1, 0);
    unit.count.set(2, 20);
    unit.busy.set(true, 30);
    unit.count.set(3, 40);
    unit.count.set(4, 50);
    unit.stream.finish(60);
    CHECK(unit.inner.lines == lines{"20 open 2 x", "30 busy=1", "40 close", "finish"});
    CHECK(unit.sink.moving_signals().empty());  // a first value is not a change
  }
  SECTION("both, until the run ends within the window") {
    unit.stream.finish(30);
    CHECK(unit.inner.lines == lines{"20 open x x", "30 close", "finish"});
    CHECK(unit.sink.has_opened());
  }
}

TEST_CASE("windows open and close while the simulation runs", "[trace]") {
  windowed_unit unit({{10, 20}, {25, fs_never}});
  unit.count.set(1, 0);
  unit.count.set(2, 10);
  unit.count.set(3, 15);
  unit.count.set(4, 20);
  unit.stream.advance(25);
  CHECK(unit.inner.lines == lines{"10 open 2 x", "15 count=3", "20 close"});
  unit.count.set(5, 30);
  unit.stream.advance(35);
  unit.sink.close_at(35);
  unit.count.set(6, 35);
  unit.stream.finish(40);
  CHECK(unit.inner.lines == lines{"10 open 2 x", "15 count=3", "20 close", "25 open 4 x",
                                  "30 count=5", "35 close", "finish"});
}

TEST_CASE("a sink may have several windows, and the run may end within one", "[trace]") {
  CHECK(recorded({{10, 20}, {20, 30}, {85, fs_never}}, 105) ==
        lines{"10 open 1 1", "20 close", "20 open 2 1", "30 close", "85 open 8 1", "90 count=9",
              "100 count=10", "105 close", "finish"});
}

TEST_CASE("a window that opens behind the end of the run never opens", "[trace]") {
  windowed_recording recording({{200, 300}});
  recording.stream.finish(100);
  CHECK(recording.inner.lines == lines{"finish"});
  CHECK_FALSE(recording.sink.has_opened());
  CHECK(recording.sink.moving_signals().empty());
  CHECK(recorded({{50, 50}}, 100) == lines{"finish"});
}

TEST_CASE("signals that change within a window are known afterwards", "[trace]") {
  windowed_recording recording({{20, 50}});
  recording.stream.finish(100);
  CHECK(recording.sink.has_opened());
  REQUIRE(recording.sink.moving_signals().size() == 1);
  CHECK(recording.sink.moving_signals().front().leaf == "count");
}

TEST_CASE("the last text of a signal is known, whether a window is open or not", "[trace]") {
  recording_sink inner;
  windowed_sink sink(inner);
  sink.add_window(10, 20);
  trace_stream stream;
  stream.add_sink(sink);
  const trace_scope scope(stream, "workload");
  const auto running = scope.text("running"), silent = scope.text("silent");
  CHECK(silent.enabled());
  running.set("", 0);
  running.set("first", 15);
  running.set("second", 30);
  stream.finish(40);
  CHECK(sink.last_text("workload.running") == "second");
  CHECK(sink.last_text("workload.silent").empty());
  CHECK(sink.last_text("nobody.running").empty());
}

TEST_CASE("a sink of the whole run can end before the trace does", "[trace]") {
  windowed_recording recording({{0, fs_never}});
  recording.sink.close_at(85);
  recording.stream.finish(100);
  CHECK(recording.inner.lines.back() == "finish");
  CHECK(recording.inner.lines.at(recording.inner.lines.size() - 2) == "85 close");
  CHECK(recording.inner.lines.at(recording.inner.lines.size() - 3) == "80 count=8");
}
