#include <catch2/catch.hpp>

#include "platform/text/deviation.hpp"

using namespace heddle;

TEST_CASE("a deviation has a sign, and no minus where it rounds to zero", "[text]") {
  CHECK(deviation_text(0.0125, 2) == "+1.25 %");
  CHECK(deviation_text(-0.5, 1) == "-50.0 %");
  CHECK(deviation_text(-0.00004, 2) == "+0.00 %");
  CHECK(deviation_text(-0.00006, 2) == "-0.01 %");
  CHECK(deviation_text(0, 0) == "+0 %");
}
