#include <catch2/catch.hpp>

#include "platform/trace/glob.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/trace/trace_selection.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

TEST_CASE("globs match whole names, dots and brackets included", "[trace]") {
  CHECK(glob_match("*", "gpu[0].dma.state"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("gpu[0].*", "gpu[0].dma.state"));
  CHECK(glob_match("*.state", "gpu[0].dma.state"));
  CHECK(glob_match("gpu[?].dma.*", "gpu[7].dma.state"));
  CHECK(glob_match("*a*a*b", "aaaaab"));
  CHECK(glob_match("gpu[0].dma", "gpu[0].dma"));
  CHECK_FALSE(glob_match("gpu[?].dma.*", "gpu[10].dma.state"));
  CHECK_FALSE(glob_match("gpu", "gpu[0]"));
  CHECK_FALSE(glob_match("", "gpu"));
  CHECK_FALSE(glob_match("?", ""));
  CHECK_FALSE(glob_match("*state?", "gpu.state"));
}

TEST_CASE("a bracket of several indices stands for each of them", "[trace]") {
  CHECK(glob_match("gpu[0..3].dma", "gpu[3].dma"));
  CHECK_FALSE(glob_match("gpu[0..3].dma", "gpu[4].dma"));
  CHECK(glob_match("gpu[7..5].*", "gpu[6].dma.state"));
  CHECK(glob_match("gpu[0, 2,10..12]", "gpu[11]"));
  CHECK_FALSE(glob_match("gpu[0,2]", "gpu[1]"));
  CHECK(glob_match("node[*][0..1]", "node[12][1]"));
  CHECK(glob_match("*[0..9].port[1,3]", "gpu[0].ni[4].port[3]"));
  CHECK_FALSE(glob_match("gpu[0..3]", "gpu"));
  CHECK_FALSE(glob_match("gpu[0..", "gpu[0"));
  CHECK_FALSE(glob_match("gpu[0..x]", "gpu[0]"));
  CHECK_FALSE(glob_match("gpu[1,2]", "gpu[1,2]"));  // no name looks like that
}

TEST_CASE("globs choose names in the order of their brackets", "[trace]") {
  const std::vector<std::string> names = {"gpu[0]", "gpu[1]", "gpu[2]", "host", "gpu[10]"};
  const auto chosen = [&](const std::vector<std::string>& globs) {
    std::vector<std::string> found;
    for (const std::size_t each : select_in_order(globs, names)) found.push_back(names[each]);
    return found;
  };
  using list = std::vector<std::string>;
  CHECK(chosen({"*"}) == names);
  CHECK(chosen({"gpu[2..0]"}) == list{"gpu[2]", "gpu[1]", "gpu[0]"});
  CHECK(chosen({"gpu[10,0..1]"}) == list{"gpu[10]", "gpu[0]", "gpu[1]"});
  CHECK(chosen({"host", "gpu[1]", "gpu*"}) ==
        list{"host", "gpu[1]", "gpu[0]", "gpu[2]", "gpu[10]"});
  CHECK_THROWS_WITH(select_in_order({"gpu*", "hots"}, names),
                    "nothing matches 'hots' (did you mean 'host'?)");
}

TEST_CASE("of several brackets the left one counts first", "[trace]") {
  const std::vector<std::string> names = {"n[0][0]", "n[0][1]", "n[1][0]", "n[1][1]"};
  CHECK(select_in_order({"n[1..0][0..1]"}, names) == std::vector<std::size_t>{2, 3, 0, 1});
  CHECK(select_in_order({"n[*][1,0]"}, names) == std::vector<std::size_t>{1, 3, 0, 2});
}

TEST_CASE("the last pattern that matches decides", "[trace]") {
  trace_selection selection;
  CHECK(selection.selects("anything.at_all"));
  selection.patterns = {"gpu*", "!*.credits", "gpu[0].dma.credits"};
  CHECK(selection.selects("gpu[1].state"));
  CHECK_FALSE(selection.selects("gpu[1].dma.credits"));
  CHECK(selection.selects("gpu[0].dma.credits"));
  CHECK_FALSE(selection.selects("nvs[0].state"));
  selection.patterns = {};
  CHECK_FALSE(selection.selects("gpu[0].state"));
}

TEST_CASE("only selected signals with a listener are enabled", "[trace]") {
  trace_selection selection;
  selection.patterns = {"gpu[0].*", "nvs*", "!typo*"};
  recording_sink sink;
  trace_stream stream(selection);
  stream.add_sink(sink);
  const trace_scope scope(stream, "gpu[0]");
  CHECK(scope.child("dma").bit("busy").enabled());
  CHECK_FALSE(trace_scope(stream, "gpu[1]").bit("busy").enabled());
  CHECK(stream.signals().size() == 1);
  CHECK(stream.unmatched_patterns() == std::vector<std::string>{"nvs*", "!typo*"});

  trace_stream unheard;
  CHECK_FALSE(trace_scope(unheard, "gpu[0]").bit("busy").enabled());
  CHECK_FALSE(trace_scope().vector("count", 8).enabled());
  CHECK_FALSE(trace_signal<double>().enabled());
  trace_signal<double>().set(1.0, 5);
  unheard.advance(10);
  unheard.finish(10);
}

TEST_CASE("declarations that cannot work are refused", "[trace]") {
  recording_sink sink;
  trace_stream stream;
  stream.add_sink(sink);
  const trace_scope scope(stream, "gpu[0]");
  scope.bit("busy");
  CHECK_THROWS_WITH(scope.vector("busy", 4), Catch::Contains("'gpu[0].busy' declared twice"));
  CHECK_THROWS_WITH(scope.vector("wide", 65), Catch::Contains("65 bits"));
  CHECK_THROWS_WITH(scope.vector("narrow", 0), Catch::Contains("0 bits"));
  CHECK_THROWS_AS(trace_scope(stream, "").bit("busy"), std::logic_error);
  CHECK_THROWS_AS(stream.add_sink(sink), std::logic_error);
  stream.advance(1);
  CHECK_THROWS_WITH(scope.bit("late"), Catch::Contains("after the first delivery"));
}
