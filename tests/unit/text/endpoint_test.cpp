#include "platform/yaml/endpoint.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

const variables known{{"gpus", 8}, {"g", 7}, {"p", 2}, {"rate", 2.5}};

std::string refusal(const std::string& text) {
  try {
    parse_endpoint(text, known);
  } catch (const expression_error& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("an endpoint is a path with computed indices", "[endpoint]") {
  const endpoint_path path = parse_endpoint("gpu[(g+1)%gpus].port[p][ 1 ]", known);
  REQUIRE(path.segments.size() == 2);
  CHECK(path.segments[0].name == "gpu");
  CHECK(path.segments[0].indices == std::vector<std::int64_t>{0});
  CHECK(path.segments[1].name == "port");
  CHECK(path.segments[1].indices == std::vector<std::int64_t>{2, 1});
  CHECK(path.text() == "gpu[0].port[2][1]");
  CHECK(parse_endpoint("host", known).text() == "host");
  CHECK(parse_endpoint("a[[g-(p)]*2].b", known).text() == "a[10].b");
}

TEST_CASE("a malformed endpoint names the offset", "[endpoint]") {
  CHECK(refusal("") == "0: a name is missing");
  CHECK(refusal("gpu.") == "4: a name is missing");
  CHECK(refusal("gpu..x") == "4: a name is missing");
  CHECK(refusal("gpu port") == "3: expected '.' or '[', got \" \"");
  CHECK(refusal("gpu[g") == "5: expected ']' at the end");
  CHECK(refusal("gpu[g)") == "5: expected ']', got \")\"");
  CHECK(refusal("gpu[]") == "4: unexpected \"]\"");
  CHECK(refusal("gpu[q+1]") == "4: unknown name 'q'");
  CHECK(refusal("gpu[0].port[g-8]") == "12: index -1 of 'port' is not 0 or more");
  CHECK(refusal("gpu[rate]") == "4: index 2.5 of 'gpu' is not an integer");
}
