#include "models/traffic/terminal_selection.hpp"

#include <catch2/catch.hpp>

#include "models/traffic/offered_load.hpp"
#include "platform/unit/literals.hpp"

using namespace heddle;

namespace {

struct parameters : parameter_set {
  terminals_parameter list{*this, "list", "", ""};
  load_parameter load{*this, "load", 0.1, "", ""};
};

const source_place here{"a.yaml", 3, 5};

yaml_node word(const std::string& text) {
  return yaml_node::scalar(text, true, here);
}

std::string read_list(const yaml_node& node) {
  parameters p;
  p.list.load(node);
  return p.list.text();
}

std::string refusal_of(const std::string& text) {
  try {
    read_list(word(text));
  } catch (const user_error& error) {
    CHECK(error.place().line == 3);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("names, globs and weights are read, and written as they can be read again") {
  parameters p;
  p.list.load(word("node[*] , node[3]:9,x[0,2]"));
  REQUIRE(p.list().globs.size() == 3);
  CHECK(p.list().globs[0].glob == "node[*]");
  CHECK(p.list().globs[1].weight == 9);
  CHECK(p.list().globs[2].glob == "x[0,2]");
  CHECK(p.list().text() == "node[*], node[3]:9, x[0,2]");
  CHECK(read_list(word(p.list().text())) == p.list().text());
  CHECK(read_list(yaml_node::sequence({word("a"), word("b:2")}, here)) == "a, b:2");
  CHECK(read_list(word("")).empty());
}

TEST_CASE("weights of nothing and names of nothing are refused") {
  CHECK_THAT(refusal_of("a:0"), Catch::Contains("weight of a destination is '0'"));
  CHECK_THAT(refusal_of("a:-1"), Catch::Contains("weight"));
  CHECK_THAT(refusal_of("a:99999999"), Catch::Contains("weight"));
  CHECK_THAT(refusal_of("a,,b"), Catch::Contains("names no destination"));
  CHECK_THAT(refusal_of(":3"), Catch::Contains("names no destination"));
}

TEST_CASE("a load is a share of the link or a rate") {
  parameters p;
  CHECK(p.load().share_of(100_GBps) == Approx(0.1));
  p.load.load(word("0.75"));
  CHECK(p.load().share_of(100_GBps) == Approx(0.75));
  CHECK(p.load().text() == "0.75");
  p.load.load(word("20 GB/s"));
  CHECK(p.load().share_of(100_GBps) == Approx(0.2));
  CHECK(p.load().text() == "20 GB/s");
  CHECK_THROWS_AS(p.load.load(word("1.5")), user_error);
  CHECK_THROWS_AS(p.load.load(word("-0.1")), user_error);
}
