#include "platform/run/json_stream.hpp"

#include <catch2/catch.hpp>

#include "platform/random/random_stream.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;
using json = nlohmann::ordered_json;

namespace {

json any_value(random_stream& random, int depth) {
  switch (random.below(depth > 0 ? 7 : 5)) {
    case 0:
      return random.next();
    case 1:
      return random.fraction();
    case 2:
      return "line\n\"quoted\"\t\\ " + std::to_string(random.below(1000));
    case 3:
      return json::object();
    case 4:
      return json::array();
    case 5: {
      json list = json::array();
      for (auto i = random.below(4); i > 0; --i) list.push_back(any_value(random, depth - 1));
      return list;
    }
    default: {
      json object = json::object();
      for (auto i = random.below(4); i > 0; --i)
        object["k" + std::to_string(i)] = any_value(random, depth - 1);
      return object;
    }
  }
}

// As members are written one by one: objects sometimes opened, sometimes as one value.
void stream(json_stream& out, const json& object, random_stream& random) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object() && random.below(2) == 0) {
      out.begin(key);
      stream(out, value, random);
      out.end();
    } else {
      out.member(key, value);
    }
  }
}

std::string streamed(const json& object, random_stream& random) {
  const scratch_folder folder;
  output_file file(folder.file("streamed"));
  json_stream out(file);
  stream(out, object, random);
  out.end();
  file.commit();
  return folder.content("streamed");
}

}  // namespace

TEST_CASE("an object that is written member by member looks as if it was dumped") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random_stream random(seed, "json");
    json object = json::object();
    for (auto i = random.below(5); i > 0; --i)
      object["m\"" + std::to_string(i)] = any_value(random, 3);
    INFO("seed " << seed);
    REQUIRE(streamed(object, random) == object.dump(1));
  }
}
