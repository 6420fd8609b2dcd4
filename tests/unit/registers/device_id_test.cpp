// By what firmware tells devices apart.
#include <catch2/catch.hpp>

#include "platform/firmware/core_device.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/diagnostic.hpp"

using namespace heddle;

namespace {

constexpr register_description id[] = {
    {"id", "m", 0x0, 32, register_access::RO, register_sync::never, 1}};
constexpr register_file_description block(const char* name, std::uint32_t number) {
  return {name, "m", 0x8, id, {}, {}, number};
}
constexpr register_file_description gate = block("gate", 1), lock = block("lock", 1),
                                    timer = block("timer", 2);

}  // namespace

TEST_CASE("devices of one block are counted, and blocks with the same id are refused") {
  register_audit_log audit;
  const register_file first(gate, "gate[0]", audit), second(gate, "gate[1]", audit),
      clock(timer, "timer", audit), other(lock, "lock", audit);
  const core_devices found({{0x0, &first}, {0x8, &clock}, {0x10, &second}});
  CHECK(found.count(1) == 2);
  CHECK(found.find(1, 1)->registers == &second);
  CHECK(found.find(2, 0)->registers == &clock);
  const auto both = [&] { core_devices({{0x0, &first}, {0x10, &other}}); };
  CHECK_THROWS_WITH(both(),
                    "firmware cannot tell lock (block lock) from gate[0] (block gate): the "
                    "register id of both holds 0x1");
}
