#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "platform/text/shared_text.hpp"

using namespace heddle;

TEST_CASE("equal texts are one copy, whatever they were made from") {
  const shared_text from_literal("mesh.yaml"), from_string(std::string("mesh.") + "yaml");
  CHECK(from_literal == from_string);
  CHECK(&from_literal.str() == &from_string.str());
  CHECK(from_literal == "mesh.yaml");
  CHECK(from_literal != "mesh");
  CHECK(from_literal != shared_text("torus.yaml"));
  CHECK(shared_text().empty());
  CHECK(shared_text() == shared_text(""));
}

TEST_CASE("threads that share texts see the same copies") {
  constexpr int texts = 1000;
  const auto take_all = [](std::vector<const std::string*>& seen) {
    for (int i = 0; i < texts; ++i) seen.push_back(&shared_text("text " + std::to_string(i)).str());
  };
  std::vector<const std::string*> here, there;
  std::thread other(take_all, std::ref(there));
  take_all(here);
  other.join();
  CHECK(here == there);
  CHECK(*here.back() == "text 999");
}
