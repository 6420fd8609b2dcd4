#include <catch2/catch.hpp>

#include "platform/trace/trace_scope.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

using lines = std::vector<std::string>;

struct traced_unit {
  traced_unit() {
    stream.add_sink(sink);
    const trace_scope scope(stream, "gpu[0]");
    a = scope.vector("a", 8);
    b = scope.bit("b");
  }

  recording_sink sink;
  trace_stream stream;
  trace_signal<std::uint64_t> a;
  trace_signal<bool> b;
};

}  // namespace

TEST_CASE("changes annotated for the future come in the order of time", "[trace]") {
  traced_unit unit;
  unit.a.set(1, 0);
  unit.b.set(true, 30, 0);
  unit.a.set(2, 20, 0);
  unit.a.set(3, 10, 5);
  unit.a.set(4, 25);
  unit.stream.finish(100);
  CHECK(unit.sink.lines ==
        lines{"0 open 1 x", "10 a=3", "20 a=2", "25 a=4", "30 b=1", "100 close", "finish"});
}

TEST_CASE("of one instant's values the last reported stands", "[trace]") {
  traced_unit unit;
  unit.a.set(1, 0);
  unit.a.set(7, 50, 0);
  unit.a.set(8, 50, 10);
  unit.a.set(9, 50);
  unit.b.set(true, 60);
  unit.a.set(5, 60);
  unit.a.set(9, 60);  // back to what it was: not a change
  unit.stream.finish(70);
  CHECK(unit.sink.lines == lines{"0 open 1 x", "50 a=9", "60 b=1", "70 close", "finish"});
}

TEST_CASE("equal consecutive values are dropped", "[trace]") {
  traced_unit unit;
  unit.a.set(1, 0);
  unit.stream.advance(10);
  unit.a.set(1, 10);
  unit.a.set(1, 30, 10);
  unit.a.set(2, 20, 12);
  unit.a.set(2, 25);
  unit.stream.finish(40);
  CHECK(unit.sink.lines == lines{"0 open 1 x", "20 a=2", "30 a=1", "40 close", "finish"});
}

TEST_CASE("advance hands out what can no longer be overruled", "[trace]") {
  traced_unit unit;
  unit.stream.advance(0);
  unit.a.set(1, 10);
  unit.stream.advance(10);
  CHECK(unit.sink.lines == lines{"0 open x x"});
  unit.a.set(2, 10);
  unit.stream.advance(11);
  CHECK(unit.sink.lines == lines{"0 open x x", "10 a=2"});
}

TEST_CASE("delivery happens by itself, and the end cuts what never happened", "[trace]") {
  traced_unit unit;
  for (fs_t now = 0; now < 10'000; ++now) unit.a.set(now & 0xff, now);
  CHECK(unit.sink.deliveries >= 2);
  unit.b.set(true, 20'000, 9'999);
  unit.b.set(true, fs_never, 9'999);
  unit.stream.finish(15'000);
  CHECK(unit.sink.lines.size() == 10'000 + 2);  // the first value is part of the opening
  CHECK(unit.sink.lines.back() == "finish");
  const std::size_t count = unit.sink.lines.size();
  unit.a.set(77, 15'001);
  unit.stream.finish(16'000);
  CHECK(unit.sink.lines.size() == count);
}

TEST_CASE("bits that a vector does not have are dropped", "[trace]") {
  traced_unit unit;
  unit.a.set(0x1ff, 0);
  unit.stream.finish(1);
  CHECK(unit.sink.lines.front() == "0 open 255 x");
}

TEST_CASE("the present may not go back", "[trace]") {
  traced_unit unit;
  unit.a.set(1, 20);
  CHECK_THROWS_WITH(unit.a.set(2, 19), Catch::Contains("'gpu[0].a' changes at 19 fs"));
  CHECK_THROWS_AS(unit.a.set(2, 25, 30), std::logic_error);
  unit.stream.advance(40);
  CHECK_THROWS_AS(unit.a.set(2, 30), std::logic_error);
}

TEST_CASE("the trace lasts from zero to the end of the run, whatever changes", "[trace]") {
  traced_unit unit;
  SECTION("nothing ever") {
    unit.stream.finish(30);
    CHECK(unit.sink.lines == lines{"0 open x x", "30 close", "finish"});
  }
  SECTION("nothing at its first instant") {
    unit.a.set(1, 10);
    unit.stream.finish(30);
    CHECK(unit.sink.lines == lines{"0 open x x", "10 a=1", "30 close", "finish"});
  }
  SECTION("something at its last instant") {
    unit.a.set(1, 30);
    unit.stream.finish(30);
    CHECK(unit.sink.lines == lines{"0 open x x", "30 a=1", "30 close", "finish"});
  }
  SECTION("the first instant is the last") {
    unit.a.set(1, 0);
    unit.stream.finish(0);
    CHECK(unit.sink.lines == lines{"0 open 1 x", "0 close", "finish"});
  }
}

TEST_CASE("every sink gets the stream", "[trace]") {
  recording_sink first;
  recording_sink second;
  trace_stream stream;
  stream.add_sink(first);
  stream.add_sink(second);
  const auto credits = trace_scope(stream, "nic[0]").integer("credits");
  credits.set(-1, 3);
  stream.finish(4);
  CHECK(first.lines == lines{"0 open x", "3 credits=18446744073709551615", "4 close", "finish"});
  CHECK(second.lines == first.lines);
}
